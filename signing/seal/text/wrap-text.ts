/** Where a paragraph may be broken into lines (a plain reading of UAX #14 on top of the words of UAX #29). */
import type { ShapedLine } from "./shape-line.ts";

const words = new Intl.Segmenter("und", { granularity: "word" });
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The lines of a paragraph, each as long as the width allows.
 * @param whole the paragraph set as one line, for its widths
 * @param width in ems
 */
export function wrapText(text: string, whole: ShapedLine, width: number): string[] {
  const advances = advancesOf(text, whole);
  const widthOf = (piece: string, start: number) => {
    let sum = 0;
    for (let index = start; index < start + piece.trimEnd().length; index += 1) sum += advances[index] ?? 0;
    return sum;
  };
  const lines: string[] = [];
  let line = "";
  let lineStart = 0;
  let start = 0;
  for (const piece of unbreakablePieces(text, (word, at) => widthOf(word, at) > width)) {
    if (line !== "" && widthOf(line + piece, lineStart) > width) {
      lines.push(line.trimEnd());
      line = "";
      lineStart = start;
    }
    line += piece;
    start += piece.length;
  }
  return [...lines, line.trimEnd()];
}

/** By UTF-16 offset; a cluster's whole advance stands at its first one. */
function advancesOf(text: string, whole: ShapedLine): Float64Array {
  const advances = new Float64Array(text.length);
  for (const { start, glyphs } of whole.runs.flatMap((run) => run.clusters)) {
    advances[start] = glyphs.reduce((sum, glyph) => sum + glyph.advance, advances[start] ?? 0);
  }
  return advances;
}

/** Pieces that belong on one line, with the spaces behind them; what is too long for any line, by graphemes. */
function unbreakablePieces(text: string, isTooLong: (piece: string, start: number) => boolean): string[] {
  const pieces: string[] = [];
  let before: Intl.SegmentData | undefined;
  for (const segment of words.segment(text)) {
    if (before === undefined || mayBreakBetween(before, segment)) pieces.push(segment.segment);
    else pieces[pieces.length - 1] += segment.segment;
    before = segment;
  }
  let start = 0;
  return pieces.flatMap((piece) => {
    const parts = isTooLong(piece, start)
      ? Array.from(graphemes.segment(piece), (part) => part.segment)
      : [piece];
    start += piece.length;
    return parts;
  });
}

function mayBreakBetween(before: Intl.SegmentData, after: Intl.SegmentData): boolean {
  if (/^\s/.test(after.segment)) return false;
  if (/[\s\-\u2010\u2013\u2014\u200b\u3000-\u3002\uff0c\uff0e]$/.test(before.segment)) return true;
  // Two words without a space between them: Chinese, Japanese, Thai and their like.
  return Boolean(before.isWordLike && after.isWordLike);
}
