/** What the contents of a document really use: which images at what size, which glyphs of which font, which names. */
import type { PDFDict, PDFRawStream } from "pdf-lib";

/** The largest size at which an image is shown, in points. */
export type ShownSize = { width: number; height: number };

export type ContentUses = {
  images: Map<PDFRawStream, ShownSize>;
  /** Images shown where their size cannot be told, such as in a glyph: to be left as they are. */
  unmeasured: Set<PDFRawStream>;
  /** Codes shown in each font: of one byte, or of two where the font is composite. */
  codes: Map<PDFDict, Set<number>>;
  /** Names used of each resource dictionary, by category (`XObject`, `Font`). */
  names: Map<PDFDict, Map<string, Set<string>>>;
  /** Whatever holds contents and resources and has been read: pages, forms, patterns, Type 3 fonts. */
  holders: Set<PDFDict>;
  /** False when a bound was met or a content stream could not be read: then uses may be missing. */
  complete: boolean;
  /** Some content shows itself, through forms, patterns or glyphs: drawing it may never end. */
  cyclic: boolean;
};

export function noUses(): ContentUses {
  return {
    images: new Map(),
    unmeasured: new Set(),
    codes: new Map(),
    names: new Map(),
    holders: new Set(),
    complete: true,
    cyclic: false,
  };
}
