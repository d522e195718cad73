/** The information dictionary (ISO 32000-1 §14.3.3): title, author and what else a reader shows of a document. */
import { PDFDict, PDFName, PDFString } from "pdf-lib";
import { newDict } from "./new-object.ts";
import type { ObjectCopier } from "./object-copier.ts";
import type { SourcePdf } from "./source-pdf.ts";

const keptKeys = ["Title", "Author", "Subject", "Keywords", "Creator", "CreationDate"];

/** The source's own words on itself, under this service as producer. */
export function copyDocumentInfo({ info }: SourcePdf, copier: ObjectCopier): PDFDict {
  const copy = newDict({ Producer: PDFString.of("PDF Processing and E-Signature Service") });
  for (const key of keptKeys) {
    const value = info?.lookup(PDFName.of(key));
    if (value && !(value instanceof PDFDict)) copy.set(PDFName.of(key), copier.copy(value));
  }
  return copy;
}
