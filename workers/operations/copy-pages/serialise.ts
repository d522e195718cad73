/** A PDF object as the text that stands in a file, one character a byte (ISO 32000-1 §7.3). */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "pdf-lib";

/** Streams are not values and are written elsewhere; what could not be parsed becomes `null`, as readers take it. */
export function serialise(object: PDFObject): string {
  if (object instanceof PDFName) return object.asString();
  if (object instanceof PDFNumber) return numberText(object);
  if (object instanceof PDFRef) return `${object.objectNumber} 0 R`;
  if (object instanceof PDFDict) return dictText(object);
  if (object instanceof PDFArray) return arrayText(object);
  if (object instanceof PDFString) return `(${object.asString()})`;
  if (object instanceof PDFHexString) return `<${object.asString()}>`;
  if (object instanceof PDFBool) return object.asBoolean() ? "true" : "false";
  return "null";
}

function numberText(number: PDFNumber): string {
  return Number.isFinite(number.asNumber()) ? number.toString() : "0";
}

function dictText(dict: PDFDict): string {
  let text = "<<";
  for (const [key, value] of dict.entries()) {
    const valueText = serialise(value);
    const delimited = "/<[(".includes(valueText.charAt(0));
    text += delimited ? key.asString() + valueText : `${key.asString()} ${valueText}`;
  }
  return `${text}>>`;
}

function arrayText(array: PDFArray): string {
  let text = "[";
  for (let index = 0, size = array.size(); index < size; index += 1) {
    text += index === 0 ? serialise(array.get(index)) : ` ${serialise(array.get(index))}`;
  }
  return `${text}]`;
}
