/** Opens a PDF file in PDFium for OCR and inspection, which only look at it. */
import { readFile } from "node:fs/promises";
import { Failure } from "../../../platform/contracts/failures.ts";
import { openInPdfium, type PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";

/** Throws `encrypted_pdf` or `invalid_pdf`. Must be closed. */
export async function openInEngine(path: string): Promise<PdfiumDocument> {
  const document = await openInPdfium(await readFile(path));
  if (document === "damaged") throw notAPdf();
  if (document !== "password") return document;
  throw new Failure(
    "encrypted_pdf",
    "This PDF is locked with a password. Unlock it first, then send it again.",
  );
}

export function notAPdf(): Failure {
  return new Failure(
    "invalid_pdf",
    "This PDF cannot be opened, even after repair. Save it anew, then send it again.",
  );
}
