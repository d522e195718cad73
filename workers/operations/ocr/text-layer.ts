/** The content stream that puts recognised words, unseen, where they stand on a page. */
import type { PageBox } from "../../../platform/pdf/page-box.ts";
import { inTurn, type Matrix } from "./affine.ts";
import { glyphlessCodes, glyphWidth } from "./glyphless-font.ts";
import type { PlacedWord, TextLayer } from "./ocr-phases.ts";

/** Operators that leave the graphics state as they found it. `font` is the font's name in the page's resources. */
export function textLayerContent({ words, toPage }: TextLayer, box: PageBox, font: string): string {
  const toUserSpace = inTurn(toPage, fromShownPage(box));
  const invisible = 3;
  const shown = words.map((word) => showWord(word, toUserSpace)).join("");
  return `q BT ${invisible} Tr /${font} 1 Tf\n${shown}ET Q\n`;
}

/** A word fills its box: as high as the font is large, stretched to its width. */
function showWord({ text, left, top, right, bottom, rightToLeft }: PlacedWord, toUserSpace: Matrix): string {
  const { hex, count } = glyphlessCodes(text);
  const height = bottom - top;
  if (count === 0 || height <= 0 || right <= left) return "";
  const stretch = (right - left) / ((count * glyphWidth) / 1000);
  // Right-to-left words start at their right end and run leftward, so that their letters stay in reading order.
  const place: Matrix = rightToLeft ? [-1, 0, 0, -1, right, bottom] : [1, 0, 0, -1, left, bottom];
  const matrix = inTurn([stretch, 0, 0, height, 0, 0], place, toUserSpace);
  return `${matrix.map(number).join(" ")} Tm <${hex}> Tj\n`;
}

/** From the page as shown (0 to 1, origin top left, y downward) to its own space (ISO 32000-1 §8.3.2.3). */
function fromShownPage({ x, y, width, height, quarterTurns }: PageBox): Matrix {
  const turned: readonly Matrix[] = [
    [width, 0, 0, -height, x, y + height],
    [0, height, width, 0, x, y],
    [-width, 0, 0, height, x + width, y],
    [0, -height, -width, 0, x + width, y + height],
  ];
  return turned[quarterTurns] ?? [width, 0, 0, -height, x, y + height];
}

/** PDF knows no exponents (ISO 32000-1 §7.3.3). */
function number(value: number): string {
  return String(Number(value.toFixed(4)));
}
