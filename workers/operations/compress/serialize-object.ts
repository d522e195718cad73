/** PDF objects as the shortest text that means the same (ISO 32000-1 §7.3). Each character is one byte. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from "pdf-lib";
import { stringBytes } from "../../../platform/pdf/string-bytes.ts";

/** The new number of a reference; undefined for one whose object is gone, which then reads as null. */
export type NumberOf = (ref: PDFRef) => number | undefined;

// Deeper than this is no document; the writer must not fall over one.
const maxDepth = 500;

/** The text of an object. A stream gives its dictionary alone. */
export function serializeObject(object: PDFObject, numberOf: NumberOf): string {
  return serialize(object, numberOf, 0);
}

function serialize(object: PDFObject, numberOf: NumberOf, depth: number): string {
  if (depth > maxDepth || object instanceof PDFInvalidObject) return "null";
  if (object instanceof PDFNumber) return numberText(object.asNumber());
  if (object instanceof PDFRef) {
    const number = numberOf(object);
    return number === undefined ? "null" : `${number} 0 R`;
  }
  if (object instanceof PDFArray) {
    return `[${joinTokens(object.asArray().map((item) => serialize(item, numberOf, depth + 1)))}]`;
  }
  // The length is the writer's to say.
  if (object instanceof PDFStream) return serializeDict(object.dict, numberOf, depth, "/Length");
  if (object instanceof PDFDict) return serializeDict(object, numberOf, depth);
  if (object instanceof PDFHexString) return shorterString(object);
  if (object instanceof PDFString || object instanceof PDFName) return object.toString();
  return object.toString();
}

function serializeDict(dict: PDFDict, numberOf: NumberOf, depth: number, without?: string): string {
  const tokens: string[] = [];
  for (const [key, value] of dict.entries()) {
    if (key.toString() === without) continue;
    const text = serialize(value, numberOf, depth + 1);
    // An entry of null is the same as no entry (§7.3.7).
    if (text !== "null") tokens.push(key.toString(), text);
  }
  return `<<${joinTokens(tokens)}>>`;
}

const startsItself = new Set(["/", "(", "<", "["]);
const endsItself = new Set([")", ">", "]", "["]);

function joinTokens(tokens: readonly string[]): string {
  const parts: string[] = [];
  let last = "[";
  for (const token of tokens) {
    if (!startsItself.has(token[0] ?? "") && !endsItself.has(last)) parts.push(" ");
    parts.push(token);
    last = token.at(-1) ?? last;
  }
  return parts.join("");
}

/** A number without exponent, trailing zeros or a leading one. */
export function numberText(value: number): string {
  if (Number.isInteger(value))
    return Math.abs(value) < 1e21 ? String(value) : value.toLocaleString("en", noGrouping);
  const text = /e/.test(String(value)) ? value.toFixed(12).replace(/\.?0+$/, "") : String(value);
  return text.replace(/^(-?)0\./, "$1.");
}

const noGrouping = { useGrouping: false } as const;

function shorterString(string: PDFHexString): string {
  const hex = string.toString();
  const literal = Buffer.from(stringBytes(string) ?? [])
    .toString("latin1")
    .replace(/[()\\]/g, "\\$&")
    // A bare carriage return in a literal string reads as a line feed.
    .replaceAll("\r", "\\r");
  return literal.length + 2 < hex.length ? `(${literal})` : hex;
}
