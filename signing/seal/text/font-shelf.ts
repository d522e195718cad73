/** Which fonts are there, and which of them to take for which text. */
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptFontId, scriptFonts } from "../script-fonts.ts";
import { type FontFace, readFaces } from "./sfnt.ts";

export type FontShelf = {
  /** The installed faces, best first. */
  faces: readonly FontFace[];
  /** The hands of typed signatures. */
  scriptFaces: ReadonlyMap<ScriptFontId, FontFace>;
};

/** Where Debian's font packages and an administrator's own fonts lie. */
export const installedFontFolders = ["/usr/share/fonts", "/usr/local/share/fonts"] as const;

// Text is drawn upright and regular; these would be chosen by the alphabet otherwise.
const otherStyles =
  /bold|italic|oblique|black|light|thin|medium|condensed|mono|display|slanted|looped|unjoined/i;

/** Reads what the fonts cover: some 0.1 s for Debian's Noto fonts. Call once a process or thread and keep it. */
export function openFontShelf(folders: readonly string[] = installedFontFolders): FontShelf {
  const paths = folders.flatMap((folder) =>
    globSync("**/*.{ttf,otf,ttc}", { cwd: folder }).map((path) => join(folder, path)),
  );
  const faces = paths
    .filter((path) => !otherStyles.test(basename(path)))
    .flatMap(readFaces)
    .filter((face) => !otherStyles.test(face.family));
  return { faces: faces.toSorted(byRank), scriptFaces: openScriptFaces() };
}

function openScriptFaces(): Map<ScriptFontId, FontFace> {
  const faces = new Map<ScriptFontId, FontFace>();
  for (const { id, file } of scriptFonts) {
    const [face] = readFaces(fileURLToPath(import.meta.resolve(file)));
    if (face === undefined) throw new Error(`The script font ${file} cannot be read; run npm ci again.`);
    faces.set(id, face);
  }
  return faces;
}

// The same machine must always draw the same text with the same font, so the order is total.
function byRank(one: FontFace, other: FontFace): number {
  return (
    rankOf(one) - rankOf(other) ||
    compare(one.family, other.family) ||
    compare(one.path, other.path) ||
    one.index - other.index
  );
}

const ranks: readonly RegExp[] = [
  /^Noto Sans$/,
  // Naskh is what Arabic is read in; the others are for titles, poems and mathematics.
  /^Noto Naskh Arabic$/,
  /^Noto Sans (?!CJK|Math|Symbols)/,
  /^Noto Sans CJK/,
  /^Noto Sans/,
  /^Noto Serif/,
  /^Noto/,
  /^DejaVu Sans$/,
];

function rankOf(face: FontFace): number {
  const rank = ranks.findIndex((family) => family.test(face.family));
  return rank < 0 ? ranks.length : rank;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
