/** Font files in the shaper's memory. */
import { readFileSync } from "node:fs";
import { Blob, Face, Font } from "harfbuzzjs";
import type { FontFace } from "./sfnt.ts";

export type LoadedFont = {
  face: FontFace;
  font: Font;
  unitsPerEm: number;
  /** The whole file; of a collection, all its fonts. */
  file: Uint8Array;
};

export type LoadFont = (face: FontFace) => LoadedFont;

/** Each font is read once and kept as long as the loader: a name's font today is tomorrow's as well. */
export function createFontLoader(): LoadFont {
  const loaded = new Map<FontFace, LoadedFont>();
  return (face) => {
    const known = loaded.get(face);
    if (known) return known;
    const file = readFileSync(face.path);
    const shaped = new Face(new Blob(file), face.index);
    const fresh = { face, font: new Font(shaped), unitsPerEm: shaped.upem, file };
    loaded.set(face, fresh);
    return fresh;
  };
}
