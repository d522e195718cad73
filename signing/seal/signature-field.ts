/** The signature's place in the document: its value, its invisible field, and what it permits from now on. */
import {
  type PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "pdf-lib";
import { copyOfArray } from "./pdf-file/copy-array.ts";
import { copyOfDict } from "./pdf-file/copy-dict.ts";
import type { PdfInPlace } from "./pdf-file/open-in-place.ts";
import type { Changes } from "./pdf-file/write-update.ts";

export type SignatureValue = {
  /** Who seals, as readers list it. */
  name: string;
  /** Names the head of the audit chain, so that the signature covers it in plain sight. */
  reason: string;
  /** ISO 8601, UTC. PAdES has the claimed time here and not in the CMS. */
  signedAt: string;
  /** Room for the CMS, in bytes. */
  contentsBytes: number;
};

// Ten digits reach past any file; the real numbers replace these in place.
const placeholder = 9_999_999_999;

/** The signature dictionary with placeholders (ISO 32000-1 §12.8.1), in an order that `fillSignature` relies on. */
export function signatureDictionary(context: PDFContext, value: SignatureValue): PDFDict {
  return context.obj({
    Type: "Sig",
    Filter: "Adobe.PPKLite",
    SubFilter: "ETSI.CAdES.detached",
    ByteRange: [0, placeholder, placeholder, placeholder],
    Contents: PDFHexString.of("0".repeat(2 * value.contentsBytes)),
    // DocMDP level 1: from here on every change voids the signature (§12.8.2.2).
    Reference: [
      {
        Type: "SigRef",
        TransformMethod: "DocMDP",
        TransformParams: { Type: "TransformParams", P: 1, V: "1.2" },
      },
    ],
    Name: PDFHexString.fromText(value.name),
    Reason: PDFHexString.fromText(value.reason),
    M: PDFString.of(pdfDate(value.signedAt)),
  });
}

/** `D:YYYYMMDDHHmmSSZ` (§7.9.4). */
export function pdfDate(iso: string): string {
  return `D:${iso.slice(0, 19).replace(/[-:T]/g, "")}Z`;
}

export type SignedRange = { start: number; end: number };

/**
 * Writes the real ByteRange into the placeholder, in place.
 * @param at where the signature's object begins in `update`
 * @returns where in `update` the hex string of Contents stands, its brackets included: what is not signed
 */
export function fillByteRange(update: Buffer, at: number, fileBytes: number): SignedRange {
  const rangeStart = update.indexOf("/ByteRange [", at, "latin1");
  const rangeEnd = update.indexOf("]", rangeStart, "latin1");
  const start = update.indexOf("/Contents <", rangeEnd, "latin1") + "/Contents ".length;
  const end = update.indexOf(">", start, "latin1") + 1;
  const range = [0, fileBytes + start, fileBytes + end, update.length - end];
  const text = `/ByteRange [${range.join(" ")}`.padEnd(rangeEnd - rangeStart, " ");
  update.write(text, rangeStart, "latin1");
  return { start, end };
}

/**
 * Adds the field to the form and its widget to a page; fields that are there stay as they are.
 * @param page a copy of the page's dictionary that is part of the revision
 * @returns the catalog's entries that name them
 */
export function addSignatureField(
  { context, catalog }: PdfInPlace,
  changes: Changes,
  signature: PDFRef,
  page: { ref: PDFRef; dict: PDFDict },
): Map<PDFName, PDFObject> {
  const formRef = catalog.get(PDFName.of("AcroForm"));
  const form = copyOfDict(catalog.lookup(PDFName.of("AcroForm")), context);
  const fields = copyOfArray(form.lookup(PDFName.of("Fields")), context);
  const field = context.nextRef();
  changes.set(field, signatureWidget(context, signature, page.ref, freeFieldName(fields)));
  fields.push(field);
  form.set(PDFName.of("Fields"), fields);
  // Signatures exist, and the file must only be appended to (§12.7.2).
  form.set(PDFName.of("SigFlags"), PDFNumber.of(3));
  // A reader of XFA would show its own picture of the form instead of the sealed pages.
  form.delete(PDFName.of("XFA"));
  if (formRef instanceof PDFRef) changes.set(formRef, form);
  const annotations = copyOfArray(page.dict.lookup(PDFName.of("Annots")), context);
  annotations.push(field);
  page.dict.set(PDFName.of("Annots"), annotations);
  return new Map<PDFName, PDFObject>([
    [PDFName.of("AcroForm"), formRef instanceof PDFRef ? formRef : form],
    // Usage rights in here end with any change, and readers would complain.
    [PDFName.of("Perms"), context.obj({ DocMDP: signature })],
  ]);
}

/** Invisible: the signers' marks are on the pages. */
function signatureWidget(context: PDFContext, signature: PDFRef, page: PDFRef, name: string): PDFDict {
  return context.obj({
    Type: "Annot",
    Subtype: "Widget",
    FT: "Sig",
    T: PDFString.of(name),
    V: signature,
    Rect: [0, 0, 0, 0],
    // Print and locked: §12.5.3.
    F: 132,
    P: page,
  });
}

function freeFieldName(fields: PDFArray): string {
  const taken = new Set<string>();
  for (let index = 0; index < fields.size(); index += 1) {
    const field = fields.lookup(index);
    const name = field instanceof PDFDict ? field.lookup(PDFName.of("T")) : undefined;
    if (name instanceof PDFString || name instanceof PDFHexString) taken.add(name.decodeText());
  }
  let number = 1;
  while (taken.has(`Seal ${number}`)) number += 1;
  return `Seal ${number}`;
}
