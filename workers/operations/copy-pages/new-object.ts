/** New PDF objects for the target. They belong to no document: what the target refers to is only written, never looked up. */
import { PDFArray, PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject } from "pdf-lib";

const nowhere = PDFContext.create();

/** A dictionary of the given entries; those undefined are left out. */
export function newDict(entries: Record<string, PDFObject | undefined> = {}): PDFDict {
  const dict = PDFDict.withContext(nowhere);
  for (const [key, value] of Object.entries(entries)) if (value) dict.set(PDFName.of(key), value);
  return dict;
}

export function newArray(elements: readonly PDFObject[]): PDFArray {
  const array = PDFArray.withContext(nowhere);
  for (const element of elements) array.push(element);
  return array;
}

export function newNumbers(numbers: readonly number[]): PDFArray {
  return newArray(numbers.map((number) => PDFNumber.of(number)));
}
