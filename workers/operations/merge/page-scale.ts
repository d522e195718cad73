/** Pages of one size: each is scaled to fit, centred, and the target turned to the page's own orientation. */
import { PDFArray, type PDFDict, PDFName } from "pdf-lib";
import { type PageBox, pageBox } from "../../../platform/pdf/page-box.ts";
import { newNumbers } from "../copy-pages/new-object.ts";
import { numbersOf } from "../copy-pages/read-object.ts";
import type { SourcePage } from "../copy-pages/source-pdf.ts";

export type PageSize = "A4" | "A3" | "Letter";

/** From the page's space to the target's: x' = scale · x + dx, y' = scale · y + dy. */
export type PageScale = {
  scale: number;
  dx: number;
  dy: number;
  width: number;
  height: number;
  shown: PageBox;
};

/** Shorter and longer side in points (1/72 in). */
const sides: Record<PageSize, readonly [number, number]> = {
  A4: [595.276, 841.89],
  A3: [841.89, 1190.551],
  Letter: [612, 792],
};

/** How a page comes to its new size. `width` and `height` are of the new page before it is turned by `Rotate`. */
export function pageScale(page: SourcePage, size: PageSize): PageScale {
  const shown = pageBox(page.leaf);
  const [short, long] = sides[size];
  const [shownWidth, shownHeight] = shown.shownWidth > shown.shownHeight ? [long, short] : [short, long];
  const [width, height] =
    shown.quarterTurns % 2 === 0 ? [shownWidth, shownHeight] : [shownHeight, shownWidth];
  // The new page has no UserUnit: its factor is in `shownWidth` and so in the scale.
  const scale = Math.min(width / shown.width, height / shown.height);
  const dx = width / 2 - scale * (shown.x + shown.width / 2);
  const dy = height / 2 - scale * (shown.y + shown.height / 2);
  return { scale, dx, dy, width, height, shown };
}

/** A rectangle or any other row of x, y pairs in the new space. */
export function scalePoints({ scale, dx, dy }: PageScale, points: readonly number[]): number[] {
  return points.map((value, index) => round(value * scale + (index % 2 === 0 ? dx : dy)));
}

/**
 * What the page's content must begin with. It cuts the content to what was shown of it, since the new page may have
 * room beside it, and saves the state as often as broken content may restore it too often.
 */
export function scalePrefix({ scale, dx, dy, shown }: PageScale, surplusRestores: number): string {
  const matrix = [scale, 0, 0, scale, dx, dy].map(round).join(" ");
  const clip = [shown.x, shown.y, shown.width, shown.height].map(round).join(" ");
  return `${matrix} cm ${clip} re W n ${"q ".repeat(surplusRestores)}\n`;
}

const boxKeys = ["BleedBox", "TrimBox", "ArtBox"];

/** Puts the boxes of a copied page right: the new page is shown whole. */
export function scaleBoxes(copy: PDFDict, page: SourcePage, pageScaling: PageScale): void {
  copy.set(PDFName.MediaBox, newNumbers([0, 0, round(pageScaling.width), round(pageScaling.height)]));
  copy.delete(PDFName.CropBox);
  copy.delete(PDFName.of("UserUnit"));
  for (const key of boxKeys) {
    const value = page.leaf.lookup(PDFName.of(key));
    const box = value instanceof PDFArray ? numbersOf(value) : undefined;
    if (box?.length === 4) copy.set(PDFName.of(key), newNumbers(scalePoints(pageScaling, box)));
  }
}

/** Six decimals: beyond a printer's resolution, and no exponents. */
export function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
