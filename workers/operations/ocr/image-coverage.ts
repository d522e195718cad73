/** How much of a page its images cover, and how finely they are scanned. */
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import type { Matrix } from "./affine.ts";
import { call, readFloats, readTwoIntegers } from "./pdfium-calls.ts";

// A grid is exact enough for "most of the page", and unions overlapping strips of a scan for nothing.
const gridSide = 32;
const letterBox = [0, 792, 612, 0];

/** `add` takes an image object and its matrix to the page. */
export type ImageCoverage = {
  add: (object: number, toPage: Matrix) => void;
  /** Share of the page's box, 0–1. */
  covered: () => number;
  /** Weighted by the images' area on the page; null without images. */
  dpi: () => number | null;
};

export function imageCoverage(pdfium: Pdfium, page: number): ImageCoverage {
  const box = readFloats(pdfium, 4, (at) => call(pdfium, "FPDF_GetPageBoundingBox", page, at)) ?? letterBox;
  const [left = 0, top = 792, right = 612, bottom = 0] = box;
  const toCells = { x: gridSide / Math.max(right - left, 1), y: gridSide / Math.max(top - bottom, 1) };
  const grid = new Uint8Array(gridSide ** 2);
  let [area, dpiArea] = [0, 0];
  return {
    add(object, [a, b, c, d, e, f]) {
      // An image fills the unit square under its matrix (ISO 32000-1 §8.9.5.1).
      const [width, height] = [Math.hypot(a, b), Math.hypot(c, d)];
      if (!(width > 0 && height > 0)) return;
      const xs = [e, e + a, e + c, e + a + c].map((x) => (x - left) * toCells.x);
      const ys = [f, f + b, f + d, f + b + d].map((y) => (y - bottom) * toCells.y);
      fill(grid, [Math.min(...xs), Math.max(...xs)], [Math.min(...ys), Math.max(...ys)]);
      const [columns, rows] = readTwoIntegers(pdfium, (w, h) =>
        call(pdfium, "FPDFImageObj_GetImagePixelSize", object, w, h),
      );
      area += width * height;
      dpiArea += width * height * Math.max((columns / width) * 72, (rows / height) * 72);
    },
    covered: () => grid.reduce((sum, cell) => sum + cell, 0) / gridSide ** 2,
    dpi: () => (area > 0 ? Math.round(dpiArea / area) : null),
  };
}

function fill(grid: Uint8Array, [left, right]: readonly number[], [bottom, top]: readonly number[]): void {
  const clamp = (cell: number | undefined) => Math.min(Math.max(Math.round(cell ?? 0), 0), gridSide);
  for (let row = clamp(bottom); row < clamp(top); row += 1) {
    grid.fill(1, row * gridSide + clamp(left), row * gridSide + clamp(right));
  }
}
