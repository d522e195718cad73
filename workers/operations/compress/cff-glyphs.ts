/** Where a CFF program keeps its glyphs, and which CIDs they are (Adobe Technical Note 5176). */

export type CffGlyphs = {
  /** By glyph number. */
  charStrings: readonly { start: number; end: number }[];
  /** The CID of a glyph; its own number in a font that is not CID-keyed. */
  cidOf: (glyph: number) => number | undefined;
};

type Range = { start: number; end: number };

const charsetOperator = 15;
const charStringsOperator = 17;
const rosOperator = 1230;

/** Undefined when the program is damaged. */
export function readCff(bytes: Buffer): CffGlyphs | undefined {
  try {
    const names = readIndex(bytes, bytes.readUInt8(2));
    const tops = readIndex(bytes, names.end);
    const [top] = tops.items;
    if (top === undefined) return undefined;
    const dict = readDict(bytes, top);
    const charStringsAt = dict.get(charStringsOperator)?.[0];
    if (charStringsAt === undefined) return undefined;
    const charStrings = readIndex(bytes, charStringsAt).items;
    if (!dict.has(rosOperator)) return { charStrings, cidOf: (glyph) => glyph };
    const charsetAt = dict.get(charsetOperator)?.[0] ?? 0;
    // The predefined charsets are of no CID-keyed font.
    if (charsetAt <= 2) return undefined;
    const cids = readCharset(bytes, charsetAt, charStrings.length);
    return { charStrings, cidOf: (glyph) => cids[glyph] };
  } catch {
    return undefined;
  }
}

function readIndex(bytes: Buffer, at: number): { items: Range[]; end: number } {
  const count = bytes.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const offsetSize = bytes.readUInt8(at + 2);
  const base = at + 2 + (count + 1) * offsetSize;
  const offset = (index: number) => base + bytes.readUIntBE(at + 3 + index * offsetSize, offsetSize);
  const items = Array.from({ length: count }, (_, index) => ({
    start: offset(index),
    end: offset(index + 1),
  }));
  const end = offset(count);
  if (end > bytes.length || items.some((item) => item.end < item.start || item.end > end))
    throw new Error("damaged");
  return { items, end };
}

/** Operands by operator; escaped operators count from 1200. */
function readDict(bytes: Buffer, { start, end }: Range): Map<number, number[]> {
  const entries = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = start; at < end; ) {
    const byte = bytes.readUInt8(at);
    at += 1;
    if (byte <= 21) {
      const operator = byte === 12 ? 1200 + bytes.readUInt8(at) : byte;
      if (byte === 12) at += 1;
      entries.set(operator, operands);
      operands = [];
    } else if (byte === 28) {
      operands.push(bytes.readInt16BE(at));
      at += 2;
    } else if (byte === 29) {
      operands.push(bytes.readInt32BE(at));
      at += 4;
    } else if (byte === 30) {
      // A real number is never an offset: two digits a byte up to the end mark.
      while (at < end && (bytes.readUInt8(at) & 0x0f) !== 0x0f) at += 1;
      at += 1;
      operands.push(Number.NaN);
    } else if (byte <= 246) operands.push(byte - 139);
    else {
      const next = bytes.readUInt8(at);
      at += 1;
      operands.push(byte <= 250 ? (byte - 247) * 256 + next + 108 : -(byte - 251) * 256 - next - 108);
    }
  }
  return entries;
}

function readCharset(bytes: Buffer, at: number, count: number): number[] {
  const cids = [0];
  const format = bytes.readUInt8(at);
  let next = at + 1;
  while (cids.length < count) {
    const first = bytes.readUInt16BE(next);
    const left = format === 0 ? 0 : format === 1 ? bytes.readUInt8(next + 2) : bytes.readUInt16BE(next + 2);
    next += 2 + format;
    for (let step = 0; step <= left && cids.length < count; step += 1) cids.push(first + step);
  }
  return cids;
}
