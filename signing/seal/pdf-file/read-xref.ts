/** Where the objects of a PDF lie, as its cross-reference tables and streams say (ISO 32000-1 §7.5.4 and §7.5.8). */
import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { parseIndirectObject } from "./parse-indirect-object.ts";
import { parseObject } from "./parse-object.ts";
import { latin1, Scanner } from "./scanner.ts";

export type XrefEntry =
  | { in: "file"; offset: number; generation: number }
  | { in: "object stream"; stream: number; index: number }
  | { in: "nowhere" };

export type Xref = {
  entries: Map<number, XrefEntry>;
  /** Of the newest section. */
  trailer: PDFDict;
  /** Where the newest section begins: what the next revision names as `Prev`. */
  start: number;
  form: "table" | "stream";
};

// The largest object number that ISO 32000-1 annex C asks readers to bear.
const maxObjects = 8_388_607;
const maxSections = 1000;
const maxStreamBytes = 128 * 2 ** 20;
const tailBytes = 2048;

/** @throws Error where a table is not as it should be: such a file has to be repaired before it is sealed. */
export function readXref(bytes: Uint8Array, context: PDFContext): Xref {
  const start = findStart(bytes);
  const entries = new Map<number, XrefEntry>();
  const newest = readSection(bytes, start, context, entries);
  const seen = new Set([start]);
  const waiting = older(newest.trailer);
  while (waiting.length > 0) {
    const offset = waiting.shift() as number;
    if (seen.has(offset)) continue;
    if (seen.size > maxSections) throw new Error("too many cross-reference sections");
    seen.add(offset);
    waiting.push(...older(readSection(bytes, offset, context, entries).trailer));
  }
  return { entries, ...newest, start };
}

function findStart(bytes: Uint8Array): number {
  const tail = latin1(bytes.subarray(Math.max(0, bytes.length - tailBytes)));
  const found = [...tail.matchAll(/startxref\s+(\d+)/g)].at(-1);
  if (found === undefined) throw new Error("no startxref");
  return Number(found[1]);
}

// Of a hybrid file the stream comes before the older tables: §7.5.8.4.
function older(trailer: PDFDict): number[] {
  return ["XRefStm", "Prev"].flatMap((key) => {
    const offset = trailer.get(PDFName.of(key));
    return offset instanceof PDFNumber ? [offset.asNumber()] : [];
  });
}

type Section = { trailer: PDFDict; form: "table" | "stream" };

function readSection(
  bytes: Uint8Array,
  start: number,
  context: PDFContext,
  entries: Map<number, XrefEntry>,
): Section {
  const scanner = new Scanner(bytes, start);
  scanner.skipSpace();
  if (scanner.peek() === 0x78) return { trailer: readTable(scanner, context, entries), form: "table" };
  const { object } = parseIndirectObject(bytes, start, context);
  if (!(object instanceof PDFRawStream)) throw new Error("no cross-reference section at startxref");
  readStream(object, entries);
  return { trailer: object.dict, form: "stream" };
}

function readTable(scanner: Scanner, context: PDFContext, entries: Map<number, XrefEntry>): PDFDict {
  scanner.expect("xref");
  for (;;) {
    scanner.skipSpace();
    const word = scanner.takeWord();
    if (word === "trailer") break;
    const first = wholeNumber(word);
    scanner.skipSpace();
    const count = wholeNumber(scanner.takeWord());
    for (let index = 0; index < count; index += 1) readTableEntry(scanner, first + index, entries);
  }
  const trailer = parseObject(scanner, context);
  if (!(trailer instanceof PDFDict)) throw new Error("no trailer dictionary");
  return trailer;
}

function readTableEntry(scanner: Scanner, number: number, entries: Map<number, XrefEntry>): void {
  scanner.skipSpace();
  const offset = wholeNumber(scanner.takeWord());
  scanner.skipSpace();
  const generation = wholeNumber(scanner.takeWord());
  scanner.skipSpace();
  const kind = scanner.takeWord();
  if (kind !== "n" && kind !== "f") throw new Error("a cross-reference entry is neither n nor f");
  // An offset of 0 is how some writers mark a free entry.
  addEntry(
    entries,
    number,
    kind === "n" && offset > 0 ? { in: "file", offset, generation } : { in: "nowhere" },
  );
}

function readStream(stream: PDFRawStream, entries: Map<number, XrefEntry>): void {
  const data = decodeStream(stream, maxStreamBytes);
  if (data === undefined) throw new Error("the cross-reference stream cannot be decoded");
  const widths = numbersOf(stream.dict.get(PDFName.of("W")));
  const size = numbersOf(stream.dict.get(PDFName.of("Size")));
  const index = stream.dict.get(PDFName.of("Index"));
  const sections = index === undefined ? [0, ...size] : numbersOf(index);
  if (widths.length < 3 || widths.some((width) => width > 8))
    throw new Error("a cross-reference stream has odd widths");
  const row = widths.slice(0, 3).reduce((sum, width) => sum + width, 0);
  let offset = 0;
  for (let pair = 0; pair + 1 < sections.length; pair += 2) {
    const first = sections[pair] ?? 0;
    const count = sections[pair + 1] ?? 0;
    for (let number = first; number < first + count && offset + row <= data.length; number += 1) {
      addEntry(entries, number, rowEntry(data, offset, widths));
      offset += row;
    }
  }
}

function rowEntry(data: Uint8Array, offset: number, widths: readonly number[]): XrefEntry {
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const type = typeWidth === 0 ? 1 : bigEndian(data, offset, typeWidth);
  const second = bigEndian(data, offset + typeWidth, secondWidth);
  const third = bigEndian(data, offset + typeWidth + secondWidth, thirdWidth);
  if (type === 1) return { in: "file", offset: second, generation: third };
  if (type === 2) return { in: "object stream", stream: second, index: third };
  return { in: "nowhere" };
}

// Sections are read from the newest on: what is known already is newer.
function addEntry(entries: Map<number, XrefEntry>, number: number, entry: XrefEntry): void {
  if (number > maxObjects) throw new Error("an object number is over the bound");
  if (!entries.has(number)) entries.set(number, entry);
}

function bigEndian(data: Uint8Array, offset: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index += 1) value = value * 256 + (data[offset + index] ?? 0);
  return value;
}

function wholeNumber(word: string): number {
  if (!/^\d{1,15}$/.test(word)) throw new Error("a cross-reference table has something else than numbers");
  return Number(word);
}

function numbersOf(object: unknown): number[] {
  const items = object instanceof PDFArray ? object.asArray() : [object];
  return items.map((item) => {
    if (!(item instanceof PDFNumber)) throw new Error("a cross-reference stream lacks a number");
    return item.asNumber();
  });
}
