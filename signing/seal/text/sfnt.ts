/** The little of the OpenType format (ISO/IEC 14496-22) that is needed to know what a font file is good for. */
import { closeSync, openSync, readSync } from "node:fs";

/** One font of a file: collections (.ttc) hold several. `covers` answers for Unicode code points. */
export type FontFace = {
  path: string;
  index: number;
  family: string;
  covers: (codePoint: number) => boolean;
};

type ReadAt = (offset: number, length: number) => Buffer;

/** Reads only headers and character maps, some kilobytes a font. Files that are no fonts give none. */
export function readFaces(path: string): FontFace[] {
  const file = openSync(path, "r");
  try {
    const readAt: ReadAt = (offset, length) => {
      const piece = Buffer.alloc(length);
      if (readSync(file, piece, 0, length, offset) !== length) throw new Error("the font file ends early");
      return piece;
    };
    return faceOffsets(readAt).flatMap((offset, index) => {
      const face = readFace(readAt, offset);
      return face ? [{ path, index, ...face }] : [];
    });
  } catch {
    return [];
  } finally {
    closeSync(file);
  }
}

function faceOffsets(readAt: ReadAt): number[] {
  const head = readAt(0, 12);
  const tag = head.toString("latin1", 0, 4);
  if (tag === "ttcf") {
    const count = head.readUInt32BE(8);
    const list = readAt(12, 4 * count);
    return Array.from({ length: count }, (_, index) => list.readUInt32BE(4 * index));
  }
  return tag === "OTTO" || head.readUInt32BE(0) === 0x00010000 ? [0] : [];
}

function readFace(readAt: ReadAt, offset: number): Omit<FontFace, "path" | "index"> | undefined {
  const count = readAt(offset, 12).readUInt16BE(4);
  const directory = readAt(offset + 12, 16 * count);
  const tables = new Map<string, Buffer>();
  for (let at = 0; at < directory.length; at += 16) {
    const tag = directory.toString("latin1", at, at + 4);
    // Bitmap and variable fonts cannot be embedded as they are.
    if (tag === "CBDT" || tag === "sbix" || tag === "fvar") return undefined;
    if (tag !== "cmap" && tag !== "name") continue;
    tables.set(tag, readAt(directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12)));
  }
  const cmap = tables.get("cmap");
  const name = tables.get("name");
  return cmap && name && { family: familyOf(name), covers: coverageOf(cmap) };
}

function familyOf(name: Buffer): string {
  const count = name.readUInt16BE(2);
  const strings = name.readUInt16BE(4);
  for (let at = 6; at < 6 + 12 * count; at += 12) {
    // Windows, Unicode BMP, name 1: the family.
    if (name.readUInt16BE(at) !== 3 || name.readUInt16BE(at + 6) !== 1) continue;
    const start = strings + name.readUInt16BE(at + 10);
    return name
      .subarray(start, start + name.readUInt16BE(at + 8))
      .swap16()
      .toString("utf16le");
  }
  return "";
}

function coverageOf(cmap: Buffer): (codePoint: number) => boolean {
  const subtables = new Map<number, Buffer>();
  for (let at = 4; at < 4 + 8 * cmap.readUInt16BE(2); at += 8) {
    const platform = cmap.readUInt16BE(at);
    const encoding = cmap.readUInt16BE(at + 2);
    // Unicode (0) without variation sequences (5), and Windows BMP (1) and full (10): the rest is not Unicode.
    const isUnicode = platform === 0 ? encoding !== 5 : platform === 3 && (encoding === 1 || encoding === 10);
    const subtable = cmap.subarray(cmap.readUInt32BE(at + 4));
    if (isUnicode) subtables.set(subtable.readUInt16BE(0), subtable);
  }
  const full = subtables.get(12);
  if (full) return rangesOf(segmentedCoverage(full));
  const basic = subtables.get(4);
  return basic ? rangesOf(segmentMapping(basic)) : () => false;
}

/** First and last code points in turn, ascending. */
type Ranges = number[];

function segmentedCoverage(table: Buffer): Ranges {
  const ranges: Ranges = [];
  for (let at = 16; at < 16 + 12 * table.readUInt32BE(12); at += 12) {
    ranges.push(table.readUInt32BE(at), table.readUInt32BE(at + 4));
  }
  return ranges;
}

function segmentMapping(table: Buffer): Ranges {
  const doubled = table.readUInt16BE(6);
  const ranges: Ranges = [];
  for (let at = 0; at < doubled; at += 2) {
    const last = table.readUInt16BE(14 + at);
    const first = table.readUInt16BE(16 + doubled + at);
    const rangeAt = 16 + 3 * doubled + at;
    const delta = table.readUInt16BE(16 + 2 * doubled + at);
    const rangeOffset = table.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const listed =
        rangeOffset === 0 ? code : table.readUInt16BE(rangeAt + rangeOffset + 2 * (code - first));
      // Glyph 0 is the box for what is missing.
      const missing = rangeOffset === 0 ? ((code + delta) & 0xffff) === 0 : listed === 0;
      if (missing) continue;
      if (ranges.at(-1) === code - 1) ranges[ranges.length - 1] = code;
      else ranges.push(code, code);
    }
  }
  return ranges;
}

function rangesOf(list: Ranges): (codePoint: number) => boolean {
  const ranges = Uint32Array.from(list);
  return (codePoint) => {
    let low = 0;
    let high = ranges.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (codePoint > (ranges[2 * middle + 1] ?? 0)) low = middle + 1;
      else high = middle;
    }
    return codePoint >= (ranges[2 * low] ?? Number.POSITIVE_INFINITY);
  };
}
