/** A font as PDF objects: a composite font whose codes are the glyph numbers themselves (ISO 32000-1 §9.7). */
import { readFileSync } from "node:fs";
import { type PDFContext, type PDFDict, PDFName, PDFString } from "pdf-lib";
import { type Changes, flateStream } from "../pdf-file/write-update.ts";
import type { LoadedFont } from "../text/loaded-font.ts";
import type { SubsetFont } from "../text/subset-font.ts";
import type { UsedGlyphs } from "./fonts-in-use.ts";
import { toUnicodeMap } from "./to-unicode-map.ts";

type FontToEmbed = {
  context: PDFContext;
  changes: Changes;
  font: LoadedFont;
  glyphs: UsedGlyphs;
  subset: SubsetFont;
  /** Six letters that mark a subset. */
  tag: string;
};

/** The Type 0 font dictionary; what it refers to is added to the changes. */
export function embedFont(order: FontToEmbed): PDFDict {
  const { context, changes, font, glyphs, subset, tag } = order;
  const add = (object: Parameters<Changes["set"]>[1]) => {
    const ref = context.nextRef();
    changes.set(ref, object);
    return ref;
  };
  const file = subset(readFileSync(font.face.path), font.face.index, glyphs.keys());
  const cff = tableOf(file, "CFF ");
  const name = `${tag}+${font.face.family.replace(/[^A-Za-z0-9-]/g, "")}`;
  const program = cff
    ? { FontFile3: add(flateStream(context, cff, { Subtype: PDFName.of("CIDFontType0C") })) }
    : { FontFile2: add(flateStream(context, file, { Length1: context.obj(file.length) })) };
  const descriptor = add(
    context.obj({ Type: "FontDescriptor", FontName: name, ...metrics(font), ...program }),
  );
  const descendant = context.obj({
    Type: "Font",
    Subtype: cff ? "CIDFontType0" : "CIDFontType2",
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Identity"), Supplement: 0 },
    FontDescriptor: descriptor,
    W: widths(font, glyphs),
    ...(cff ? {} : { CIDToGIDMap: "Identity" }),
  });
  return context.obj({
    Type: "Font",
    Subtype: "Type0",
    BaseFont: cff ? `${name}-Identity-H` : name,
    Encoding: "Identity-H",
    DescendantFonts: [add(descendant)],
    ToUnicode: add(flateStream(context, toUnicodeMap(glyphs))),
  });
}

/** In thousandths of an em. */
export function glyphWidth({ font, unitsPerEm }: LoadedFont, glyph: number): number {
  return Math.round((font.glyphHAdvance(glyph) * 1e6) / unitsPerEm) / 1000;
}

function widths(font: LoadedFont, glyphs: UsedGlyphs): (number | number[])[] {
  return [...glyphs.keys()]
    .sort((one, other) => one - other)
    .flatMap((glyph) => [glyph, [glyphWidth(font, glyph)]]);
}

function metrics({ font, unitsPerEm }: LoadedFont) {
  const { ascender, descender } = font.hExtents();
  const ascent = Math.round((ascender * 1000) / unitsPerEm);
  const descent = Math.round((descender * 1000) / unitsPerEm);
  return {
    // Symbolic: the codes are no standard encoding (§9.8.2).
    Flags: 4,
    FontBBox: [-1000, Math.min(-500, descent), 3000, Math.max(1200, ascent)],
    ItalicAngle: 0,
    Ascent: ascent,
    Descent: descent,
    CapHeight: 700,
    StemV: 80,
  };
}

function tableOf(sfnt: Uint8Array, tag: string): Uint8Array | undefined {
  const view = Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.length);
  for (let at = 12; at < 12 + 16 * view.readUInt16BE(4); at += 16) {
    if (view.toString("latin1", at, at + 4) !== tag) continue;
    const start = view.readUInt32BE(at + 8);
    return sfnt.subarray(start, start + view.readUInt32BE(at + 12));
  }
  return undefined;
}
