/** The bytes and text of PDF strings (ISO 32000-1 §7.3.4, §7.9.2). */
import { PDFHexString, type PDFObject, PDFString, pdfDocEncodingDecode, utf16Decode } from "pdf-lib";

/** The bytes of a string; undefined for any other object. pdf-lib itself reads white space in hex strings as digits. */
export function stringBytes(object: PDFObject | undefined): Uint8Array | undefined {
  if (object instanceof PDFString) return object.asBytes();
  if (!(object instanceof PDFHexString)) return undefined;
  const digits = object.asString().replace(/[^0-9a-f]/gi, "");
  return Uint8Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex"));
}

/** A text string decoded, whichever encoding it is in; undefined for any other object. */
export function stringText(object: PDFObject | undefined): string | undefined {
  const bytes = stringBytes(object);
  if (bytes === undefined) return undefined;
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return Buffer.from(bytes.subarray(3)).toString("utf8");
  const isUtf16 = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
  return isUtf16 ? utf16Decode(bytes) : pdfDocEncodingDecode(bytes);
}
