import { type PDFContext, PDFDict } from "pdf-lib";

/** A dictionary of the same entries, to be changed; an empty one for anything that is none. */
export function copyOfDict(object: unknown, context: PDFContext): PDFDict {
  const entries = object instanceof PDFDict ? object.entries() : [];
  return PDFDict.fromMapWithContext(new Map(entries), context);
}
