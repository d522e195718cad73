/** The signature of a sealed PDF and the audit file beside it, found in the file as it is. */
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRawStream, PDFString } from "pdf-lib";
import { decodeStream } from "../../platform/pdf/decode-stream.ts";
import { nameTreeEntries } from "./attach-file.ts";
import { type AuditFile, headOfReason, readAuditFile } from "./audit-file.ts";
import { openInPlace, type PdfInPlace } from "./pdf-file/open-in-place.ts";

export type FoundSeal = {
  /** start, length, start, length: what the signature says that it covers. */
  byteRange: readonly number[];
  /** DER, with the padding behind it. */
  contents: Uint8Array;
  /** 1 when every later change voids the signature; null when it does not say. */
  docMdpLevel: number | null;
  /** The head that the signature's Reason names. */
  head: string | undefined;
  signedAt: string | undefined;
  audit: AuditFile | undefined;
};

const maxAuditBytes = 64 * 2 ** 20;

/** Undefined when the file carries no seal of this form. @throws Error for what cannot be read as a PDF */
export function findSeal(bytes: Uint8Array): FoundSeal | undefined {
  const pdf = openInPlace(bytes);
  const signature = certifyingSignature(pdf);
  const contents = signature?.lookup(PDFName.of("Contents"));
  const range = signature?.lookup(PDFName.of("ByteRange"));
  if (!signature || !(contents instanceof PDFHexString) || !(range instanceof PDFArray)) return undefined;
  return {
    byteRange: range.asArray().map((item) => (item instanceof PDFNumber ? item.asNumber() : Number.NaN)),
    contents: contents.asBytes(),
    docMdpLevel: docMdpLevel(signature),
    head: headOfReason(textOf(signature, "Reason") ?? ""),
    signedAt: textOf(signature, "M"),
    audit: attachedAudit(pdf),
  };
}

function certifyingSignature({ catalog }: PdfInPlace): PDFDict | undefined {
  const permissions = catalog.lookup(PDFName.of("Perms"));
  const signature = permissions instanceof PDFDict ? permissions.lookup(PDFName.of("DocMDP")) : undefined;
  return signature instanceof PDFDict ? signature : undefined;
}

function docMdpLevel(signature: PDFDict): number | null {
  const references = signature.lookup(PDFName.of("Reference"));
  for (let index = 0; references instanceof PDFArray && index < references.size(); index += 1) {
    const reference = references.lookup(index);
    if (!(reference instanceof PDFDict)) continue;
    if (reference.lookup(PDFName.of("TransformMethod")) !== PDFName.of("DocMDP")) continue;
    const parameters = reference.lookup(PDFName.of("TransformParams"));
    const level = parameters instanceof PDFDict ? parameters.lookup(PDFName.of("P")) : undefined;
    // 2 is what ISO 32000-1 table 254 takes when nothing is said.
    return level instanceof PDFNumber ? level.asNumber() : 2;
  }
  return null;
}

function attachedAudit({ catalog, context }: PdfInPlace): AuditFile | undefined {
  const names = catalog.lookup(PDFName.of("Names"));
  const root = names instanceof PDFDict ? names.lookup(PDFName.of("EmbeddedFiles")) : undefined;
  for (const [, value] of nameTreeEntries(root, context)) {
    const specification = context.lookup(value);
    const files = specification instanceof PDFDict ? specification.lookup(PDFName.of("EF")) : undefined;
    const stream = files instanceof PDFDict ? files.lookup(PDFName.of("F")) : undefined;
    const data = stream instanceof PDFRawStream ? decodeStream(stream, maxAuditBytes) : undefined;
    const audit = data && readAuditFile(data);
    if (audit) return audit;
  }
  return undefined;
}

function textOf(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined;
}
