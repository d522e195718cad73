import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from "pdf-lib";
import { parseObject } from "./parse-object.ts";
import { isSpace, latin1, Scanner } from "./scanner.ts";

/** `N G obj … endobj` at an offset, streams with their bytes (a view of the file, not a copy). */
export type IndirectObject = { number: number; generation: number; object: PDFObject };

/**
 * @throws Error when no indirect object begins there
 */
export function parseIndirectObject(bytes: Uint8Array, offset: number, context: PDFContext): IndirectObject {
  const scanner = new Scanner(bytes, offset);
  scanner.skipSpace();
  const number = scanner.takeWord();
  scanner.skipSpace();
  const generation = scanner.takeWord();
  scanner.skipSpace();
  if (!/^\d+$/.test(number) || !/^\d+$/.test(generation)) throw new Error(`no object at byte ${offset}`);
  scanner.expect("obj");
  const object = parseObject(scanner, context);
  const whole = object instanceof PDFDict ? withStream(object, scanner) : object;
  return { number: Number(number), generation: Number(generation), object: whole };
}

function withStream(dict: PDFDict, scanner: Scanner): PDFObject {
  scanner.skipSpace();
  if (latin1(scanner.bytes.subarray(scanner.offset, scanner.offset + 6)) !== "stream") return dict;
  scanner.skip(6);
  // §7.3.8.1: one end of line. Some writers put blanks before it, some a lone CR.
  while (scanner.peek() === 0x20 || scanner.peek() === 0x09) scanner.skip(1);
  if (scanner.peek() === 0x0d) scanner.skip(1);
  if (scanner.peek() === 0x0a) scanner.skip(1);
  const start = scanner.offset;
  return PDFRawStream.of(dict, scanner.bytes.subarray(start, endOfStream(dict, scanner.bytes, start)));
}

function endOfStream(dict: PDFDict, bytes: Uint8Array, start: number): number {
  const length = dict.lookup(PDFName.of("Length"));
  if (length instanceof PDFNumber) {
    const end = start + length.asNumber();
    const behind = new Scanner(bytes, end);
    behind.skipSpace();
    if (end >= start && latin1(bytes.subarray(behind.offset, behind.offset + 9)) === "endstream") return end;
  }
  const keyword = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(
    "endstream",
    start,
    "latin1",
  );
  if (keyword < 0) throw new Error("a stream has no end");
  const beforeLineEnd =
    bytes[keyword - 2] === 0x0d && bytes[keyword - 1] === 0x0a ? keyword - 2 : keyword - 1;
  return isSpace(bytes[keyword - 1] ?? 0) ? Math.max(start, beforeLineEnd) : keyword;
}
