/** The character maps of a TrueType program (OpenType `cmap`), formats 0, 4, 6 and 12. */
import { tablesOf } from "./blank-glyphs.ts";

/** The glyph of a character code; 0 for none. */
export type CharacterMap = (code: number) => number;

/** Every map of the font; undefined when there is one in a format not known here, or a damaged one. */
export function readCmaps(font: Buffer): CharacterMap[] | undefined {
  const table = tablesOf(font)?.find(({ tag }) => tag === "cmap");
  if (table === undefined) return undefined;
  try {
    const maps: CharacterMap[] = [];
    for (let index = 0; index < font.readUInt16BE(table.offset + 2); index += 1) {
      const at = table.offset + font.readUInt32BE(table.offset + 8 + index * 8);
      const map = readMap(font, at);
      if (map === undefined) return undefined;
      maps.push(map);
    }
    return maps;
  } catch {
    return undefined;
  }
}

function readMap(font: Buffer, at: number): CharacterMap | undefined {
  const format = font.readUInt16BE(at);
  if (format === 0) return (code) => (code < 256 ? font.readUInt8(at + 6 + code) : 0);
  if (format === 4) return segmentMap(font, at);
  if (format === 6) {
    const first = font.readUInt16BE(at + 6);
    const count = font.readUInt16BE(at + 8);
    return (code) =>
      code >= first && code < first + count ? font.readUInt16BE(at + 10 + (code - first) * 2) : 0;
  }
  return format === 12 ? groupMap(font, at) : undefined;
}

function segmentMap(font: Buffer, at: number): CharacterMap {
  const segments = font.readUInt16BE(at + 6) / 2;
  const [ends, starts] = [at + 14, at + 16 + segments * 2];
  const [deltas, offsets] = [starts + segments * 2, starts + segments * 4];
  return (code) => {
    for (let segment = 0; segment < segments; segment += 1) {
      if (font.readUInt16BE(ends + segment * 2) < code) continue;
      const start = font.readUInt16BE(starts + segment * 2);
      if (start > code) return 0;
      const delta = font.readUInt16BE(deltas + segment * 2);
      const offset = font.readUInt16BE(offsets + segment * 2);
      if (offset === 0) return (code + delta) & 0xffff;
      const glyph = font.readUInt16BE(offsets + segment * 2 + offset + (code - start) * 2);
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

function groupMap(font: Buffer, at: number): CharacterMap {
  const groups = font.readUInt32BE(at + 12);
  return (code) => {
    for (let group = 0; group < groups; group += 1) {
      const start = at + 16 + group * 12;
      const first = font.readUInt32BE(start);
      if (code >= first && code <= font.readUInt32BE(start + 4))
        return font.readUInt32BE(start + 8) + code - first;
    }
    return 0;
  };
}
