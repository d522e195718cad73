/** Whether a file that was read back holds the very objects that it was written from. */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from "pdf-lib";
import { stringBytes } from "../../../platform/pdf/string-bytes.ts";

type Pair = readonly [written: unknown, read: unknown];

// What numbers lose as text.
const tolerance = 1e-9;
const lengthKey = PDFName.of("Length");

/** Follows everything from the two trailers at once. Numbers of objects may differ, and null is the same as nothing. */
export function sameObjects(written: PDFContext, read: PDFContext): boolean {
  const partners = new Map<PDFRef, unknown>();
  const pairs: Pair[] = [[written.trailerInfo.Root, read.trailerInfo.Root]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [first, second] = pair;
    if (first instanceof PDFRef) {
      if (partners.has(first)) {
        if (partners.get(first) !== second) return false;
        continue;
      }
      partners.set(first, second);
    }
    if (!sameShape(resolved(first, written), resolved(second, read), pairs)) return false;
  }
  return true;
}

function resolved(object: unknown, context: PDFContext): PDFObject | undefined {
  const found = object instanceof PDFRef ? context.lookup(object) : object;
  return found instanceof PDFObject && found !== PDFNull && !(found instanceof PDFInvalidObject)
    ? found
    : undefined;
}

/** Compares what two objects are themselves; what they hold is added to `pairs`. */
function sameShape(first: PDFObject | undefined, second: PDFObject | undefined, pairs: Pair[]): boolean {
  if (first === undefined || second === undefined) return first === second;
  if (first instanceof PDFStream) return second instanceof PDFStream && sameStream(first, second, pairs);
  if (first instanceof PDFDict) {
    if (!(second instanceof PDFDict)) return false;
    for (const [key, value] of first.entries()) if (key !== lengthKey) pairs.push([value, second.get(key)]);
    return second.keys().every((key) => key === lengthKey || first.has(key));
  }
  if (first instanceof PDFArray) {
    if (!(second instanceof PDFArray) || first.size() !== second.size()) return false;
    for (let index = 0; index < first.size(); index += 1) pairs.push([first.get(index), second.get(index)]);
    return true;
  }
  if (first instanceof PDFNumber)
    return second instanceof PDFNumber && Math.abs(first.asNumber() - second.asNumber()) <= tolerance;
  if (isString(first))
    return (
      isString(second) && Buffer.compare(stringBytes(first) ?? nothing, stringBytes(second) ?? nothing) === 0
    );
  return first === second || first.toString() === second.toString();
}

const nothing = new Uint8Array();

function isString(object: PDFObject): object is PDFString | PDFHexString {
  return object instanceof PDFString || object instanceof PDFHexString;
}

function sameStream(first: PDFStream, second: PDFStream, pairs: Pair[]): boolean {
  if (!(first instanceof PDFRawStream) || !(second instanceof PDFRawStream)) return false;
  pairs.push([first.dict, second.dict]);
  return Buffer.compare(first.contents, second.contents) === 0;
}
