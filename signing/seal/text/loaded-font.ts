/** Font files in the shaper's memory. */
import { readFileSync } from "node:fs";
import { Blob, Face, Font } from "harfbuzzjs";
import type { FontFace } from "./sfnt.ts";

export type LoadedFont = { face: FontFace; font: Font; unitsPerEm: number };

export type LoadFont = (face: FontFace) => LoadedFont;

/** Each font is read once and kept as long as the loader: a name's font today is tomorrow's as well. */
export function createFontLoader(): LoadFont {
  const loaded = new Map<FontFace, LoadedFont>();
  const files = new Map<string, Blob>();
  return (face) => {
    const known = loaded.get(face);
    if (known) return known;
    // The fonts of a collection share one file, of 20 MB where they are Chinese, Japanese and Korean.
    const file = files.get(face.path) ?? new Blob(readFileSync(face.path));
    files.set(face.path, file);
    const shaped = new Face(file, face.index);
    const fresh = { face, font: new Font(shaped), unitsPerEm: shaped.upem };
    loaded.set(face, fresh);
    return fresh;
  };
}
