/** What a document is, as far as it decides how it may be compressed. */
import { PDFDict, PDFName, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { countDigitalSignatures } from "../../../platform/pdf/digital-signatures.ts";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";

export type DocumentTraits = {
  signatures: number;
  /** Ghostscript rebuilds the document from its picture: only one without a deeper structure may go through it. */
  mayBeRebuilt: boolean;
  /** PDF/A: made for archives, to a standard that says what must be in the file. */
  isArchival: boolean;
  /** Object streams came with PDF 1.5, and PDF/A-1 knows only 1.4. */
  mayPackObjects: boolean;
};

const maxMetadataBytes = 4 * 2 ** 20;

export function documentTraits({ document }: OpenedPdf): DocumentTraits {
  const { catalog } = document;
  const form = catalog.lookup(PDFName.of("AcroForm"));
  const hasFields =
    form instanceof PDFDict && (form.has(PDFName.of("XFA")) || form.has(PDFName.of("Fields")));
  const signatures = countDigitalSignatures(document);
  const archivalPart = /pdfaid:part\s*(?:=\s*["']|>)\s*(\d)/.exec(metadataText(catalog))?.[1];
  const hasStructure = ["StructTreeRoot", "OCProperties"].some((key) => catalog.has(PDFName.of(key)));
  const isArchival = archivalPart !== undefined;
  return {
    signatures,
    mayBeRebuilt: !hasFields && !hasStructure && signatures === 0 && !isArchival,
    isArchival,
    mayPackObjects: archivalPart !== "1",
  };
}

function metadataText(catalog: PDFDict): string {
  const metadata = catalog.lookup(PDFName.of("Metadata"));
  if (!(metadata instanceof PDFRawStream)) return "";
  return Buffer.from(decodeStream(metadata, maxMetadataBytes) ?? []).toString("latin1");
}
