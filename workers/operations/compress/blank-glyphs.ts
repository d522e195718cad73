/**
 * Font programs with the outlines of unused glyphs blanked where they stand: glyph numbers, offsets and mappings all
 * stay as they were, and Flate makes next to nothing of the blanks.
 */
import { readCff } from "./cff-glyphs.ts";

type Table = { tag: string; offset: number; length: number };

// What draws a glyph when its number is known, and what finds the number. The rest serves layout that a PDF has done.
const neededTables = new Set([
  "cmap",
  "cvt ",
  "fpgm",
  "glyf",
  "head",
  "hhea",
  "hmtx",
  "loca",
  "maxp",
  "prep",
  "post",
  "OS/2",
  "vhea",
  "vmtx",
  "CFF ",
]);
const compositeMore = 0x20;
const leastGain = 0.05;

/** A TrueType program with only the given glyphs and what they are composed of; undefined when it is none, or has few others. */
export function blankTrueType(program: Uint8Array, glyphs: ReadonlySet<number>): Uint8Array | undefined {
  const bytes = Buffer.from(program);
  const tables = tablesOf(bytes);
  const [glyf, loca, head] = ["glyf", "loca", "head"].map((tag) =>
    tables?.find((table) => table.tag === tag),
  );
  if (!tables || !glyf || !loca || !head || head.length < 54) return undefined;
  const isLong = bytes.readInt16BE(head.offset + 50) !== 0;
  const count = Math.floor(loca.length / (isLong ? 4 : 2)) - 1;
  const place = (glyph: number): [start: number, end: number] => {
    const at = (index: number) =>
      isLong ? bytes.readUInt32BE(loca.offset + index * 4) : bytes.readUInt16BE(loca.offset + index * 2) * 2;
    const limit = (value: number) => glyf.offset + Math.min(value, glyf.length);
    return [limit(at(glyph)), limit(at(glyph + 1))];
  };
  const kept = withComponents(bytes, glyphs, count, place);
  let blanked = 0;
  for (let glyph = 0; glyph < count; glyph += 1) {
    const [start, end] = place(glyph);
    if (kept.has(glyph) || end <= start) continue;
    bytes.fill(0, start, end);
    blanked += end - start;
  }
  const smaller = joinTables(
    bytes,
    tables.filter(({ tag }) => neededTables.has(tag)),
  );
  return isWorthIt(bytes, smaller, blanked) ? smaller : undefined;
}

/** A bare CFF program of a CID font with only the given CIDs; undefined where it cannot be told which glyphs those are. */
export function blankCff(program: Uint8Array, cids: ReadonlySet<number>): Uint8Array | undefined {
  const bytes = Buffer.from(program);
  const cff = readCff(bytes);
  if (cff === undefined) return undefined;
  let blanked = 0;
  for (const [glyph, { start, end }] of cff.charStrings.entries()) {
    const cid = cff.cidOf(glyph);
    if (glyph === 0 || cid === undefined || cids.has(cid) || end <= start) continue;
    bytes.fill(0, start, end);
    // endchar: a glyph must end.
    bytes[start] = 14;
    blanked += end - start;
  }
  return isWorthIt(bytes, bytes, blanked) ? bytes : undefined;
}

// Every page that uses a changed font is compared: for a few bytes that would be a waste.
function isWorthIt(before: Uint8Array, after: Uint8Array, blanked: number): boolean {
  return before.length - after.length + blanked > before.length * leastGain;
}

export function tablesOf(font: Buffer): Table[] | undefined {
  const version = font.length >= 12 ? font.readUInt32BE(0) : 0;
  if (version !== 0x00010000 && version !== 0x74727565) return undefined;
  const count = font.readUInt16BE(4);
  if (12 + count * 16 > font.length) return undefined;
  const tables = Array.from({ length: count }, (_, index) => {
    const at = 12 + index * 16;
    const offset = font.readUInt32BE(at + 8);
    return { tag: font.toString("latin1", at, at + 4), offset, length: font.readUInt32BE(at + 12) };
  });
  return tables.every(({ offset, length }) => offset + length <= font.length) ? tables : undefined;
}

/** The glyphs and, for the composed among them, their parts. Glyph 0 stands for whatever is missing. */
function withComponents(
  bytes: Buffer,
  glyphs: ReadonlySet<number>,
  count: number,
  place: (glyph: number) => [number, number],
): Set<number> {
  const kept = new Set<number>();
  const queue = [0, ...glyphs];
  for (let glyph = queue.pop(); glyph !== undefined; glyph = queue.pop()) {
    if (kept.has(glyph) || glyph >= count) continue;
    kept.add(glyph);
    const [start, end] = place(glyph);
    if (end - start < 12 || bytes.readInt16BE(start) >= 0) continue;
    for (let at = start + 10, flags = compositeMore; flags & compositeMore && at + 4 <= end; ) {
      flags = bytes.readUInt16BE(at);
      queue.push(bytes.readUInt16BE(at + 2));
      at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0);
    }
  }
  return kept;
}

function joinTables(font: Buffer, tables: readonly Table[]): Uint8Array {
  const directory = Buffer.alloc(12 + tables.length * 16);
  const power = Math.floor(Math.log2(Math.max(1, tables.length)));
  directory.writeUInt32BE(font.readUInt32BE(0), 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(16 << power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(tables.length * 16 - (16 << power), 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, table] of tables.entries()) {
    const at = 12 + index * 16;
    const padded = Buffer.alloc((table.length + 3) & ~3);
    font.copy(padded, 0, table.offset, table.offset + table.length);
    directory.write(table.tag, at, "latin1");
    directory.writeUInt32BE(checksum(padded), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(table.length, at + 12);
    parts.push(padded);
    offset += padded.length;
  }
  return Buffer.concat(parts);
}

function checksum(padded: Buffer): number {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
