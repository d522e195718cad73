import type { UsedGlyphs } from "./fonts-in-use.ts";

// §9.10.3: at most a hundred entries a block.
const blockSize = 100;

/** The CMap that tells which text each glyph stands for (ISO 32000-1 §9.10.3). */
export function toUnicodeMap(glyphs: UsedGlyphs): string {
  const rows = [...glyphs]
    .flatMap(([glyph, text]) => (text === null ? [] : [{ glyph, text }]))
    .sort((one, other) => one.glyph - other.glyph)
    .map(({ glyph, text }) => `<${hex4(glyph)}> <${utf16Hex(text)}>\n`);
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += blockSize) {
    const block = rows.slice(at, at + blockSize);
    blocks.push(`${block.length} beginbfchar\n${block.join("")}endbfchar\n`);
  }
  return [
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n",
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n",
    "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
    ...blocks,
    "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n",
  ].join("");
}

/** A glyph number as it stands in content streams and maps. */
export function hex4(glyph: number): string {
  return glyph.toString(16).toUpperCase().padStart(4, "0");
}

/** UTF-16BE in hex. */
export function utf16Hex(text: string): string {
  return Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();
}
