/** XFA forms (ISO 32000-1 §12.7.8). */
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFRawStream } from "pdf-lib";
import { decodeStream } from "./decode-stream.ts";

const maxPacketBytes = 16 * 2 ** 20;

/**
 * Whether the document's real pages are made by an XFA program when a reader opens it, so that the PDF's own pages
 * say only "please wait": XFA is there, and either the catalog wants it rendered or no field of the classic form backs it.
 */
export function hasDynamicXfa(document: PDFDocument): boolean {
  const form = document.catalog.lookup(PDFName.of("AcroForm"));
  const xfa = form instanceof PDFDict ? form.lookup(PDFName.of("XFA")) : undefined;
  if (!(form instanceof PDFDict) || xfa === undefined) return false;
  if (document.catalog.lookup(PDFName.of("NeedsRendering"))?.toString() === "true") return true;
  const fields = form.lookup(PDFName.of("Fields"));
  if (fields instanceof PDFArray && fields.size() > 0) return false;
  return /<template[\s>]/.test(textOf(xfa));
}

function textOf(xfa: unknown): string {
  if (xfa instanceof PDFRawStream)
    return Buffer.from(decodeStream(xfa, maxPacketBytes) ?? []).toString("utf8");
  if (!(xfa instanceof PDFArray)) return "";
  let text = "";
  for (let index = 1; index < xfa.size(); index += 2) {
    const packet = xfa.lookup(index);
    if (packet instanceof PDFRawStream) text += textOf(packet);
  }
  return text;
}
