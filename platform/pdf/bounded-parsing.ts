/**
 * pdf-lib's parser, made safe for files of strangers. As it comes, it inflates object and cross-reference streams
 * without any bound, builds a cross-reference table as long as a hostile `Size` says only to drop it, and looks for the
 * end of a stream byte by byte where its length is an indirect number. Three of its methods are replaced, for the
 * exact version in package.json; nothing else of it changes.
 */
import { type PDFContext, PDFObjectParser, PDFParser, type PDFRawStream, PDFXRefStreamParser } from "pdf-lib";
import byteStreamModule from "pdf-lib/cjs/core/parser/ByteStream.js";
import { Failure } from "../contracts/failures.ts";
import { decodeStream } from "./decode-stream.ts";
import { readNameEscapes } from "./name-escapes.ts";

const ByteStream = byteStreamModule.default;

// The structure of the largest honest files (some 100,000 objects) is a tenth of this.
const maxStructureBytes = 192 * 2 ** 20;

let applied = false;

/** Puts the bounds in place for this thread; calling again does nothing. Parsing then throws `too_complex` over them. */
export function boundParsing(): void {
  if (applied) return;
  applied = true;
  readNameEscapes();
  boundStructure();
  boundStreamEnd();
}

function boundStructure(): void {
  const unpacked = new WeakMap<PDFContext, number>();
  const refused = new WeakMap<PDFContext, Failure>();
  ByteStream.fromPDFRawStream = (stream) => {
    const { context } = stream.dict;
    const before = unpacked.get(context) ?? 0;
    try {
      const plain = decodeStream(stream as PDFRawStream, maxStructureBytes - before);
      if (plain === undefined) throw new Error("A stream of the file's structure cannot be unpacked");
      unpacked.set(context, before + plain.length);
      return ByteStream.of(plain);
    } catch (fault) {
      if (fault instanceof Failure) refused.set(context, fault);
      throw fault;
    }
  };
  const xrefParser = PDFXRefStreamParser.prototype as unknown as { parseEntries: () => [] };
  xrefParser.parseEntries = () => [];
  // The parser overlooks what goes wrong inside one object; going over the bound is not to be overlooked.
  const parser = PDFParser.prototype as unknown as {
    context: PDFContext;
    parseDocument: () => Promise<PDFContext>;
  };
  const { parseDocument } = parser;
  const { warn } = console;
  parser.parseDocument = async function (this: typeof parser) {
    // One warning for each oddity of a file would let a stranger fill the log.
    console.warn = () => {};
    const outcome = await parseDocument.call(this).catch((fault: unknown) => fault);
    console.warn = warn;
    const failure = refused.get(this.context);
    if (failure) throw failure;
    if (outcome instanceof Error) throw outcome;
    return outcome as PDFContext;
  };
}

type StreamEndParser = {
  bytes: InstanceType<typeof ByteStream>;
  findEndOfStreamFallback: (position: unknown) => number;
};

const endOfStream = Buffer.from("endstream");

/**
 * Without a usable Length a stream ends at the next `endstream`, found by the native search. Only an attached PDF
 * holds that word itself; there pdf-lib's own count of nested streams is kept.
 */
function boundStreamEnd(): void {
  const parser = PDFObjectParser.prototype as unknown as StreamEndParser;
  const countingSearch = parser.findEndOfStreamFallback;
  parser.findEndOfStreamFallback = function (this: StreamEndParser, position: unknown) {
    const start = this.bytes.offset();
    const all = (this.bytes as unknown as { bytes: Uint8Array }).bytes;
    const searched = Buffer.from(all.buffer, all.byteOffset, all.byteLength);
    if (searched.toString("latin1", start, start + 5) === "%PDF-") return countingSearch.call(this, position);
    const at = searched.indexOf(endOfStream, start);
    if (at < 0) throw new Error("A stream has no end");
    this.bytes.moveTo(at + endOfStream.length);
    return endWithoutLineBreak(searched, start, at);
  };
}

function endWithoutLineBreak(bytes: Uint8Array, start: number, end: number): number {
  let last = end;
  if (last > start && bytes[last - 1] === 0x0a) last -= 1;
  if (last > start && bytes[last - 1] === 0x0d) last -= 1;
  return last;
}
