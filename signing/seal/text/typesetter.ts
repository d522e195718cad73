import { chooseFonts } from "./choose-fonts.ts";
import type { FontShelf } from "./font-shelf.ts";
import { createFontLoader } from "./loaded-font.ts";
import type { FontFace } from "./sfnt.ts";
import { type ShapedLine, shapeLine } from "./shape-line.ts";

export type SetLine = { ok: true; line: ShapedLine } | { ok: false; missing: string };

/** Sets one line of text, in the preferred face as far as it reaches. */
export type Typesetter = (text: string, preferred?: FontFace) => SetLine;

/** Keeps the fonts it has used; make one a thread. */
export function createTypesetter(shelf: FontShelf): Typesetter {
  const load = createFontLoader();
  return (text, preferred) => {
    const choice = chooseFonts(text, shelf, preferred);
    if (!choice.ok) return choice;
    const line = shapeLine(text, choice.spans, load);
    const missing = clusterWithoutGlyph(line);
    return missing === undefined ? { ok: true, line } : { ok: false, missing };
  };
}

// A font may know a character and still lack what it becomes beside another: glyph 0 is the box for that.
function clusterWithoutGlyph(line: ShapedLine): string | undefined {
  const clusters = line.runs.flatMap((run) => run.clusters);
  return clusters.find(({ glyphs }) => glyphs.some(({ id }) => id === 0))?.text;
}
