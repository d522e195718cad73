/** The words of Tesseract's TSV output. */
import type { PlacedWord } from "./ocr-phases.ts";

const wordLevel = 5;
const endsUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;
const startsUnspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const rightToLeftLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
export function tsvWords(tsv: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  let lineBefore = "";
  for (const row of tsv.split("\n")) {
    const columns = row.split("\t");
    const text = columns[11]?.trim();
    if (Number(columns[0]) !== wordLevel || text === undefined || text === "") continue;
    const [left = 0, top = 0, width = 0, height = 0] = columns.slice(6, 10).map(Number);
    const line = columns.slice(2, 5).join();
    const before = line === lineBefore ? words.at(-1) : undefined;
    if (before !== undefined && runsOn(before, text, left)) before.right = left;
    const rightToLeft = rightToLeftLetter.test(text);
    words.push({ text, left, top, right: left + width, bottom: top + height, rightToLeft });
    lineBefore = line;
  }
  return words;
}

/** Chinese and Japanese have no space between words; a gap between two boxes would be taken for one. */
function runsOn(before: PlacedWord, text: string, left: number): boolean {
  return left > before.left && endsUnspaced.test(before.text) && startsUnspaced.test(text);
}
