import { PDFArray, type PDFContext } from "pdf-lib";

/** An array of the same items, to be changed; an empty one for anything that is none. */
export function copyOfArray(object: unknown, context: PDFContext): PDFArray {
  const copy = PDFArray.withContext(context);
  if (object instanceof PDFArray) for (const item of object.asArray()) copy.push(item);
  return copy;
}
