/** What a PDF page holds, measured: the ground on which it is decided whether its text is read or recognised. */

import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import { identity, inTurn, type Matrix } from "./affine.ts";
import { call, readFloats, readTwoIntegers } from "./pdfium-calls.ts";

export type PageEvidence = {
  /** Characters that are not white space and that the page itself has (PDFium adds spaces and line ends). */
  characters: number;
  /** Of those: without a usable Unicode value. */
  unmapped: number;
  /** Of those: drawn with render mode 3, as an earlier OCR's text layer is. */
  invisible: number;
  /** Of those: letters and digits of any script. */
  lettersAndDigits: number;
  /** Share of the page under images, 0–1. */
  imageCoverage: number;
  /** Of the images, weighted by their area on the page; null without images. */
  imageDpi: number | null;
  /** Anything drawn at all, annotations included. */
  marked: boolean;
};

const invisibleMode = 3;
const [pathObject, imageObject, shadingObject, formObject] = [2, 3, 4, 5];
// A grid is exact enough for "most of the page", and unions overlapping tiles of a scan cut into strips for nothing.
const gridSide = 32;
// Hostile pages nest forms in forms and repeat them; evidence from the first few thousand objects is enough.
const maxObjects = 4000;
const maxDepth = 6;

/** Measures an open page whose text page is open too. */
export function pageEvidence(pdfium: Pdfium, page: number, textPage: number): PageEvidence {
  const characters = characterEvidence(pdfium, textPage);
  const marks = markEvidence(pdfium, page);
  const annotations = call(pdfium, "FPDFPage_GetAnnotCount", page);
  const marked = marks.marked || annotations > 0 || characters.characters > 0;
  return { ...characters, imageCoverage: marks.imageCoverage, imageDpi: marks.imageDpi, marked };
}

function characterEvidence(pdfium: Pdfium, textPage: number) {
  const evidence = { characters: 0, unmapped: 0, invisible: 0, lettersAndDigits: 0 };
  const modes = new Map<number, number>();
  const count = call(pdfium, "FPDFText_CountChars", textPage);
  for (let index = 0; index < count; index += 1) {
    const code = call(pdfium, "FPDFText_GetUnicode", textPage, index);
    if (code === 32 || code === 10 || code === 13 || code === 9 || code === 0xa0) continue;
    evidence.characters += 1;
    if (isUnmapped(code) || call(pdfium, "FPDFText_HasUnicodeMapError", textPage, index) === 1) {
      evidence.unmapped += 1;
    } else if (isLetterOrDigit(code)) {
      evidence.lettersAndDigits += 1;
    }
    const object = call(pdfium, "FPDFText_GetTextObject", textPage, index);
    let mode = modes.get(object);
    if (mode === undefined) {
      mode = object === 0 ? 0 : call(pdfium, "FPDFTextObj_GetTextRenderMode", object);
      modes.set(object, mode);
    }
    if (mode === invisibleMode) evidence.invisible += 1;
  }
  return evidence;
}

/** Control characters, the replacement character and private use say nothing to a reader; 2 is PDFium's hyphen. */
function isUnmapped(code: number): boolean {
  if (code < 32) return code !== 2;
  return code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;
}

function isLetterOrDigit(code: number): boolean {
  if (code < 128) {
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  }
  // PDFium gives UTF-16 units; half of a pair (rare ideographs, mathematical letters) counts as a letter.
  return (code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(code));
}

type Scale = { x: number; y: number; left: number; bottom: number };
type Marks = { marked: boolean; area: number; dpiArea: number; grid: Uint8Array; objects: number };

function markEvidence(pdfium: Pdfium, page: number) {
  // Left, top, right, bottom.
  const box = readFloats(pdfium, 4, (at) => call(pdfium, "FPDF_GetPageBoundingBox", page, at)) ?? [
    0, 792, 612, 0,
  ];
  const [left = 0, top = 792, right = 612, bottom = 0] = box;
  const scale = {
    left,
    bottom,
    x: gridSide / Math.max(right - left, 1),
    y: gridSide / Math.max(top - bottom, 1),
  };
  const marks: Marks = {
    marked: false,
    area: 0,
    dpiArea: 0,
    grid: new Uint8Array(gridSide ** 2),
    objects: 0,
  };
  const list: ObjectList = { count: "FPDFPage_CountObjects", get: "FPDFPage_GetObject", of: page };
  walk(pdfium, list, identity, 0, (object, type, matrix) => {
    marks.marked ||= type === pathObject || type === imageObject || type === shadingObject;
    if (type === imageObject) addImage(pdfium, object, matrix, scale, marks);
    marks.objects += 1;
    return marks.objects < maxObjects;
  });
  const covered = marks.grid.reduce((sum, cell) => sum + cell, 0) / gridSide ** 2;
  return {
    marked: marks.marked,
    imageCoverage: covered,
    imageDpi: marks.area > 0 ? Math.round(marks.dpiArea / marks.area) : null,
  };
}

type ObjectList = { count: `F${string}`; get: `F${string}`; of: number };
type Visit = (object: number, type: number, toPage: Matrix) => boolean;

/** Visits every object, those of forms within forms included, with its matrix to the page. False ends the walk. */
function walk(pdfium: Pdfium, list: ObjectList, outer: Matrix, depth: number, visit: Visit): boolean {
  const count = call(pdfium, list.count, list.of);
  for (let index = 0; index < count; index += 1) {
    const object = call(pdfium, list.get, list.of, index);
    if (object === 0) continue;
    const type = call(pdfium, "FPDFPageObj_GetType", object);
    if (type !== imageObject && type !== formObject) {
      if (!visit(object, type, outer)) return false;
      continue;
    }
    const own = readFloats(pdfium, 6, (at) => call(pdfium, "FPDFPageObj_GetMatrix", object, at));
    const matrix = own === null ? outer : inTurn(own as unknown as Matrix, outer);
    if (!visit(object, type, matrix)) return false;
    if (type !== formObject || depth >= maxDepth) continue;
    const inner: ObjectList = { count: "FPDFFormObj_CountObjects", get: "FPDFFormObj_GetObject", of: object };
    if (!walk(pdfium, inner, matrix, depth + 1, visit)) return false;
  }
  return true;
}

/** An image fills the unit square under its matrix (ISO 32000-1 §8.9.5.1). */
function addImage(pdfium: Pdfium, object: number, matrix: Matrix, scale: Scale, marks: Marks): void {
  const [a, b, c, d, e, f] = matrix;
  const [width, height] = [Math.hypot(a, b), Math.hypot(c, d)];
  if (!(width > 0 && height > 0)) return;
  const xs = [e, e + a, e + c, e + a + c].map((x) => (x - scale.left) * scale.x);
  const ys = [f, f + b, f + d, f + b + d].map((y) => (y - scale.bottom) * scale.y);
  fill(marks.grid, [Math.min(...xs), Math.max(...xs)], [Math.min(...ys), Math.max(...ys)]);
  const pixels = readTwoIntegers(pdfium, (w, h) =>
    call(pdfium, "FPDFImageObj_GetImagePixelSize", object, w, h),
  );
  const dpi = Math.max((pixels[0] / width) * 72, (pixels[1] / height) * 72);
  marks.area += width * height;
  marks.dpiArea += width * height * dpi;
}

function fill(grid: Uint8Array, [left, right]: readonly number[], [bottom, top]: readonly number[]): void {
  const clamp = (cell: number | undefined) => Math.min(Math.max(Math.round(cell ?? 0), 0), gridSide);
  for (let row = clamp(bottom); row < clamp(top); row += 1) {
    grid.fill(1, row * gridSide + clamp(left), row * gridSide + clamp(right));
  }
}
