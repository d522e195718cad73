/** Which glyphs of a TrueType program the codes of a font can mean: rather one too many than one too few. */
import { PDFArray, PDFDict, PDFName, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { readCmaps } from "./truetype-cmap.ts";

const maxMapBytes = 131_072;

/** CIDs of a composite font's codes; undefined for an encoding other than the identity. */
export function usedCids(font: PDFDict, codes: ReadonlySet<number>): ReadonlySet<number> | undefined {
  const encoding = font.lookup(PDFName.of("Encoding"));
  const isIdentity = encoding === PDFName.of("Identity-H") || encoding === PDFName.of("Identity-V");
  return isIdentity ? codes : undefined;
}

/** Glyph numbers of CIDs, through the descendant font's map. */
export function glyphsOfCids(descendant: PDFDict, cids: ReadonlySet<number>): Set<number> | undefined {
  const map = descendant.lookup(PDFName.of("CIDToGIDMap"));
  if (!(map instanceof PDFRawStream)) return new Set(cids);
  const bytes = decodeStream(map, maxMapBytes);
  if (bytes === undefined) return undefined;
  return new Set([...cids].map((cid) => ((bytes[cid * 2] ?? 0) << 8) | (bytes[cid * 2 + 1] ?? 0)));
}

/** Glyph numbers of a simple font's codes, by every way in which readers look them up (ISO 32000-1 §9.6.6.4). */
export function glyphsOfCodes(
  font: PDFDict,
  codes: ReadonlySet<number>,
  program: Buffer,
): Set<number> | undefined {
  const cmaps = readCmaps(program);
  const encoding = font.lookup(PDFName.of("Encoding"));
  // Names of glyphs lead through tables of names; the fonts of ordinary text have none of their own.
  const differs =
    encoding instanceof PDFDict && encoding.lookup(PDFName.of("Differences")) instanceof PDFArray;
  if (cmaps === undefined || cmaps.length === 0 || differs) return undefined;
  const glyphs = new Set<number>();
  for (const code of codes) {
    for (const value of meaningsOf(code)) {
      for (const cmap of cmaps) {
        const glyph = cmap(value);
        if (glyph) glyphs.add(glyph);
      }
    }
  }
  return glyphs;
}

const windows = new TextDecoder("windows-1252");
const macintosh = new TextDecoder("macintosh");

/** The code itself, in the private areas of symbol fonts, and as a character in Windows' and Macintosh's sets. */
function meaningsOf(code: number): number[] {
  const byte = Uint8Array.of(code);
  const characters = [windows, macintosh].map((decoder) => decoder.decode(byte).codePointAt(0) ?? 0);
  return [code, 0xf000 + code, 0xf100 + code, 0xf200 + code, ...characters];
}
