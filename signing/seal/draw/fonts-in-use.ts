/** The fonts that a sealed document draws with: collected while drawing, embedded once, cut to the glyphs used. */
import { createHash } from "node:crypto";
import type { PDFContext, PDFDict, PDFRef } from "pdf-lib";
import type { Changes } from "../pdf-file/write-update.ts";
import type { LoadedFont } from "../text/loaded-font.ts";
import type { FontFace } from "../text/sfnt.ts";
import type { SubsetFont } from "../text/subset-font.ts";
import { embedFont } from "./embed-font.ts";

/** Which glyph stands for which text, for readers who search and copy. */
export type UsedGlyphs = Map<number, string | null>;

export type FontsInUse = {
  /** The font's name in page resources, for `Tf`. */
  nameOf: (font: LoadedFont) => string;
  /**
   * Notes that a glyph is drawn.
   * @param text what it stands for alone; null where only its cluster as a whole has a text
   * @returns whether the font's ToUnicode map says that text; otherwise the content has to (`ActualText`)
   */
  use: (font: LoadedFont, glyph: number, text: string | null) => boolean;
  /** For `Resources`: every font by its name. */
  resources: () => PDFDict;
  /** Adds the font objects to a revision. */
  embedInto: (changes: Changes, subset: SubsetFont) => void;
};

type InUse = { font: LoadedFont; name: string; ref: PDFRef; glyphs: UsedGlyphs };

export function createFontsInUse(context: PDFContext): FontsInUse {
  const inUse = new Map<FontFace, InUse>();
  const entryOf = (font: LoadedFont) => {
    const known = inUse.get(font.face);
    if (known) return known;
    const entry: InUse = { font, name: `F${inUse.size + 1}`, ref: context.nextRef(), glyphs: new Map() };
    inUse.set(font.face, entry);
    return entry;
  };
  return {
    nameOf: (font) => entryOf(font).name,
    use: (font, glyph, text) => {
      const { glyphs } = entryOf(font);
      const known = glyphs.get(glyph);
      if (known === undefined || (known === null && text !== null)) glyphs.set(glyph, text);
      return text !== null && glyphs.get(glyph) === text;
    },
    resources: () => context.obj(Object.fromEntries([...inUse.values()].map(({ name, ref }) => [name, ref]))),
    embedInto: (changes, subset) => {
      for (const { font, ref, glyphs } of inUse.values()) {
        changes.set(ref, embedFont({ context, changes, font, glyphs, subset, tag: subsetTag(font, glyphs) }));
      }
    },
  };
}

// ISO 32000-1 §9.6.4: six letters; of the content, so that sealing again names the same subset the same.
function subsetTag(font: LoadedFont, glyphs: UsedGlyphs): string {
  const content = `${font.face.family} ${[...glyphs.keys()].sort((one, other) => one - other).join(" ")}`;
  const digest = createHash("sha256").update(content).digest();
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join("");
}
