/** Which face draws which part of a text. */
import type { FontShelf } from "./font-shelf.ts";
import type { FontFace } from "./sfnt.ts";

/** A stretch of text in one face. `start` and `end` are UTF-16 offsets. */
export type FontSpan = { start: number; end: number; face: FontFace };

export type FontChoice = { ok: true; spans: FontSpan[] } | { ok: false; missing: string };

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The first face on the shelf that has all of a grapheme, grapheme by grapheme; a cluster is never split over faces.
 * @param preferred the hand of a typed signature; used as far as it reaches
 */
export function chooseFonts(text: string, shelf: FontShelf, preferred?: FontFace): FontChoice {
  const faces = inOrderFor(text, preferred ? [preferred, ...shelf.faces] : shelf.faces);
  const spans: FontSpan[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const before = spans.at(-1);
    const face = faceFor(segment, faces, before?.face);
    if (face === undefined) return { ok: false, missing: segment };
    const end = index + segment.length;
    if (before?.face === face) before.end = end;
    else spans.push({ start: index, end, face });
  }
  return { ok: true, spans };
}

function faceFor(grapheme: string, faces: readonly FontFace[], before?: FontFace): FontFace | undefined {
  // Spaces, digits and stops stay in the face of the word they follow.
  if (before && /^\p{Script=Common}/u.test(grapheme) && coversAll(before, grapheme)) return before;
  return faces.find((face) => coversAll(face, grapheme));
}

function coversAll(face: FontFace, grapheme: string): boolean {
  for (const character of grapheme) {
    // Joiners, marks of direction and variation selectors draw nothing of their own.
    if (/\p{Default_Ignorable_Code_Point}/u.test(character)) continue;
    if (!face.covers(character.codePointAt(0) ?? 0)) return false;
  }
  return true;
}

// Han characters look different in each country. Kana and Hangul tell; otherwise the most readers are Chinese.
function inOrderFor(text: string, faces: readonly FontFace[]): readonly FontFace[] {
  const ending = ` ${hanCountryOf(text)}`;
  const pan = faces.filter(isPanCjk);
  const fitting = pan.filter((face) => face.family.endsWith(ending));
  const others = pan.filter((face) => !face.family.endsWith(ending));
  const inTurn = [...fitting, ...others].values();
  return faces.map((face) => (isPanCjk(face) ? (inTurn.next().value ?? face) : face));
}

function isPanCjk(face: FontFace): boolean {
  return face.family.startsWith("Noto Sans CJK ");
}

function hanCountryOf(text: string): "JP" | "KR" | "TC" | "SC" {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "JP";
  if (/\p{Script=Hangul}/u.test(text)) return "KR";
  return /\p{Script=Bopomofo}/u.test(text) ? "TC" : "SC";
}
