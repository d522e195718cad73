/** Words as Tesseract reads them, made ready for a text layer. */
import type { PlacedWord } from "./ocr-phases.ts";
import type { ReadWord } from "./tesseract.ts";

const endsUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;
const startsUnspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const rightToLeftLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** In the order in which Tesseract reads them. */
export function placeWords(words: readonly ReadWord[]): PlacedWord[] {
  const placed: PlacedWord[] = [];
  for (const { text, startsLine, x0: left, y0: top, x1: right, y1: bottom } of words) {
    const before = startsLine ? undefined : placed.at(-1);
    if (before !== undefined && runsOn(before, text, left)) before.right = left;
    placed.push({ text, left, top, right, bottom, rightToLeft: rightToLeftLetter.test(text) });
  }
  return placed;
}

/** Chinese and Japanese have no space between words; a gap between two boxes would be taken for one. */
function runsOn(before: PlacedWord, text: string, left: number): boolean {
  return left > before.left && endsUnspaced.test(before.text) && startsUnspaced.test(text);
}
