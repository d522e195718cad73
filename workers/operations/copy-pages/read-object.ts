/** Entries of PDF dictionaries as the type they should have: of any other type is the same as missing. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "pdf-lib";

export type PdfText = PDFString | PDFHexString;

export function dictAt(dict: PDFDict, key: string): PDFDict | undefined {
  return asDict(dict.lookup(PDFName.of(key)));
}

export function arrayAt(dict: PDFDict, key: string): PDFArray | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFArray ? value : undefined;
}

export function numberAt(dict: PDFDict, key: string): number | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber && Number.isFinite(value.asNumber()) ? value.asNumber() : undefined;
}

/** The name without its slash. */
export function nameAt(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.asString().slice(1) : undefined;
}

export function textAt(dict: PDFDict, key: string): PdfText | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFString || value instanceof PDFHexString ? value : undefined;
}

/** A dictionary, or that of a stream. */
export function asDict(object: PDFObject | undefined): PDFDict | undefined {
  if (object instanceof PDFDict) return object;
  return object instanceof PDFRawStream ? object.dict : undefined;
}

export function refAt(dict: PDFDict, key: string): PDFRef | undefined {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFRef ? value : undefined;
}

/** The finite numbers of an array; undefined unless all of its elements are such. */
export function numbersOf(array: PDFArray | undefined): number[] | undefined {
  if (!array) return undefined;
  const numbers: number[] = [];
  for (let index = 0; index < array.size(); index += 1) {
    const value = array.lookup(index);
    if (!(value instanceof PDFNumber) || !Number.isFinite(value.asNumber())) return undefined;
    numbers.push(value.asNumber());
  }
  return numbers;
}

/** The bytes of a string, one character each: what names of destinations and files are compared by. */
export function bytesOf(text: PdfText): string {
  return Buffer.from(text.asBytes()).toString("latin1");
}

/** A string of the given bytes, one character each. */
export function stringOfBytes(bytes: string): PdfText {
  if (/^[ -'*-[\]-~]*$/.test(bytes)) return PDFString.of(bytes);
  return PDFHexString.of(Buffer.from(bytes, "latin1").toString("hex"));
}

/** What a text string says; broken encodings say something, never throw. */
export function plainText(text: PdfText | undefined): string {
  try {
    return text?.decodeText() ?? "";
  } catch {
    return text ? bytesOf(text) : "";
  }
}

/** A text string (ISO 32000-1 §7.9.2.2) that says `text`. */
export function textString(text: string): PdfText {
  return /^[ -'*-[\]-~]*$/.test(text) ? PDFString.of(text) : PDFHexString.fromText(text);
}
