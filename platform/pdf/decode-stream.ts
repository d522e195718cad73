/** A PDF stream's plain bytes, filter by filter (ISO 32000-1 §7.4), never more than a cap at any step. */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, type PDFRawStream } from "pdf-lib";
import { Failure } from "../contracts/failures.ts";
import { inflate } from "./inflate.ts";
import { predictorOf, undoPredictor } from "./predictor.ts";
import { undoAscii85, undoAsciiHex, undoRunLength } from "./undo-ascii.ts";
import { undoLzw } from "./undo-lzw.ts";

/** One step of a filter chain, under its long name. */
export type FilterStep = { name: string; parms: PDFDict | undefined };

// No honest writer stacks more; each step of a hostile one would cost a whole cap of work.
const maxSteps = 8;

/** The filters of a stream in the order in which they are undone; undefined when the entry makes no sense. */
export function filterSteps(dict: PDFDict): FilterStep[] | undefined {
  const filter = dict.lookup(PDFName.of("Filter"));
  const parms = dict.lookup(PDFName.of("DecodeParms"));
  if (filter === undefined) return [];
  if (filter instanceof PDFName) {
    return [{ name: filter.decodeText(), parms: asDict(parms instanceof PDFArray ? at(parms, 0) : parms) }];
  }
  if (!(filter instanceof PDFArray) || filter.size() > maxSteps) return undefined;
  const steps: FilterStep[] = [];
  for (let index = 0; index < filter.size(); index += 1) {
    const name = filter.lookup(index);
    if (!(name instanceof PDFName)) return undefined;
    const own = parms instanceof PDFArray ? at(parms, index) : filter.size() === 1 ? parms : undefined;
    steps.push({ name: name.decodeText(), parms: asDict(own) });
  }
  return steps;
}

/**
 * The plain bytes of a stream; undefined when a filter is an image codec, unknown, or its data broken.
 * @throws Failure `too_complex` when any step would give more than `maxBytes`.
 */
export function decodeStream(stream: PDFRawStream, maxBytes: number): Uint8Array | undefined {
  const steps = filterSteps(stream.dict);
  return steps && decodeSteps(stream.contents, steps, maxBytes);
}

/** The bytes after the given steps; undefined and throwing as `decodeStream` does. */
export function decodeSteps(
  data: Uint8Array,
  steps: readonly FilterStep[],
  maxBytes: number,
): Uint8Array | undefined {
  let bytes: Uint8Array | undefined = data;
  for (const step of steps) {
    try {
      bytes = undoStep(bytes, step, maxBytes);
    } catch (fault) {
      if (fault instanceof Failure) throw fault;
      return undefined;
    }
    if (bytes === undefined) return undefined;
  }
  return bytes;
}

function undoStep(data: Uint8Array, step: FilterStep, maxBytes: number): Uint8Array | undefined {
  switch (step.name) {
    case "FlateDecode":
      return withoutPredictor(inflate(data, maxBytes), step.parms);
    case "LZWDecode":
      return withoutPredictor(undoLzw(data, earlyChangeOf(step.parms), maxBytes), step.parms);
    case "ASCII85Decode":
      return undoAscii85(data);
    case "ASCIIHexDecode":
      return undoAsciiHex(data);
    case "RunLengthDecode":
      return undoRunLength(data, maxBytes);
    default:
      return undefined;
  }
}

function withoutPredictor(data: Uint8Array, parms: PDFDict | undefined): Uint8Array | undefined {
  const predictor = predictorOf(parms);
  return predictor ? undoPredictor(data, predictor) : data;
}

function earlyChangeOf(parms: PDFDict | undefined): number {
  const value = parms?.lookup(PDFName.of("EarlyChange"));
  return value instanceof PDFNumber ? value.asNumber() : 1;
}

function at(array: PDFArray, index: number): PDFObject | undefined {
  return index < array.size() ? array.lookup(index) : undefined;
}

function asDict(object: PDFObject | undefined): PDFDict | undefined {
  return object instanceof PDFDict ? object : undefined;
}
