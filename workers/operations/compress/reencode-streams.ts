/** Streams without an image codec, packed anew at Flate's best level; text encodings and LZW come off on the way. */
import { PDFArray, type PDFContext, PDFName, type PDFRawStream } from "pdf-lib";
import { decodeSteps, type FilterStep, filterSteps } from "../../../platform/pdf/decode-stream.ts";
import { deflateBest } from "./deflate.ts";

const maxPlainBytes = 256 * 2 ** 20;
const imageCodecs = new Set(["DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"]);
const textFilters = new Set(["ASCII85Decode", "ASCIIHexDecode"]);

/** Replaces the contents of each stream that gets smaller. Undecodable ones stay as they are. */
export async function reencodeStreams(streams: readonly PDFRawStream[]): Promise<void> {
  await Promise.all(streams.map(reencode));
}

async function reencode(stream: PDFRawStream): Promise<void> {
  const steps = filterSteps(stream.dict);
  if (steps === undefined) return;
  const last = steps.at(-1);
  if (last && imageCodecs.has(last.name)) {
    unwrap(stream, steps);
    return;
  }
  // The predictor stays on: prediction is what makes image data deflate well.
  const predicted = last?.parms !== undefined && last.name === "FlateDecode";
  const plain = decodeSteps(stream.contents, predicted ? withoutLastParms(steps) : steps, maxPlainBytes);
  if (plain === undefined) return;
  const packed = await deflateBest(plain);
  if (packed.length + 20 >= stream.contents.length && steps.length === 1 && last?.name === "FlateDecode")
    return;
  const usePacked = packed.length + 20 < plain.length || predicted;
  replaceContents(
    stream,
    usePacked ? packed : plain,
    usePacked ? ["FlateDecode"] : [],
    predicted ? last : undefined,
  );
}

/** Takes the outer packing off an image codec's data: `[/ASCII85Decode /DCTDecode]` is a quarter larger than need be. */
function unwrap(stream: PDFRawStream, steps: readonly FilterStep[]): void {
  const last = steps.at(-1);
  if (last === undefined || steps.length < 2) return;
  const inner = decodeSteps(stream.contents, steps.slice(0, -1), maxPlainBytes);
  // Flate around an image codec is sometimes worth its place.
  if (
    inner === undefined ||
    (inner.length > stream.contents.length && !textFilters.has(steps[0]?.name ?? ""))
  )
    return;
  if (inner.length <= stream.contents.length) replaceContents(stream, inner, [last.name], last);
}

function withoutLastParms(steps: readonly FilterStep[]): FilterStep[] {
  return steps.map((step, index) => (index === steps.length - 1 ? { ...step, parms: undefined } : step));
}

/** Sets a stream's contents, the filters they need, and the parameters of the last filter. */
export function replaceContents(
  stream: PDFRawStream,
  contents: Uint8Array,
  filters: readonly string[],
  parmsOf?: FilterStep,
): void {
  const { dict } = stream;
  (stream as { contents: Uint8Array }).contents = contents;
  dict.delete(PDFName.of("DecodeParms"));
  dict.delete(PDFName.of("Filter"));
  const [first] = filters;
  if (first !== undefined)
    dict.set(PDFName.of("Filter"), filters.length === 1 ? PDFName.of(first) : names(dict.context, filters));
  if (parmsOf?.parms) dict.set(PDFName.of("DecodeParms"), parmsOf.parms);
}

function names(context: PDFContext, filters: readonly string[]): PDFArray {
  const array = PDFArray.withContext(context);
  for (const filter of filters) array.push(PDFName.of(filter));
  return array;
}
