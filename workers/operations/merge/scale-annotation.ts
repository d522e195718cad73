/** Everything of an annotation that is measured in the page's space (ISO 32000-1 §12.5). */
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from "pdf-lib";
import { newArray, newDict, newNumbers } from "../copy-pages/new-object.ts";
import { bytesOf, numberAt, numbersOf, stringOfBytes } from "../copy-pages/read-object.ts";
import { type PageScale, scalePoints } from "./page-scale.ts";

const pointKeys = ["Rect", "QuadPoints", "L", "CL", "Vertices"];
/** Rows of points, one a stroke. */
const pointRowKeys = ["InkList", "Path"];
const lengthKeys = ["LL", "LLE", "LLO"];

/**
 * Scales a copied annotation. Its appearance needs nothing: a reader fits that into `Rect`.
 * @param source the same annotation in its own file, where references can be followed
 */
export function scaleAnnotation(copy: PDFDict, source: PDFDict, pageScaling: PageScale): void {
  for (const key of pointKeys) {
    const points = numbersOf(arrayOf(source, key));
    if (points) copy.set(PDFName.of(key), newNumbers(scalePoints(pageScaling, points)));
  }
  for (const key of pointRowKeys) {
    const rows = arrayOf(source, key);
    if (rows) copy.set(PDFName.of(key), scaleRows(rows, pageScaling));
  }
  for (const key of lengthKeys) {
    const value = source.lookup(PDFName.of(key));
    if (value instanceof PDFNumber)
      copy.set(PDFName.of(key), PDFNumber.of(value.asNumber() * pageScaling.scale));
  }
  const inset = numbersOf(arrayOf(source, "RD"));
  if (inset) copy.set(PDFName.of("RD"), newNumbers(inset.map((value) => value * pageScaling.scale)));
  scaleBorder(copy, source, pageScaling.scale);
  scaleFontSize(copy, pageScaling.scale);
}

function scaleRows(rows: PDFArray, pageScaling: PageScale): PDFArray {
  const scaled: PDFArray[] = [];
  for (let index = 0; index < rows.size(); index += 1) {
    const row = rows.lookup(index);
    scaled.push(newNumbers(scalePoints(pageScaling, (row instanceof PDFArray && numbersOf(row)) || [])));
  }
  return newArray(scaled);
}

function scaleBorder(copy: PDFDict, source: PDFDict, scale: number) {
  const style = source.lookup(PDFName.of("BS"));
  if (style instanceof PDFDict) copy.set(PDFName.of("BS"), scaledStyle(style, scale));
  const border = numbersOf(arrayOf(source, "Border"));
  if (border) copy.set(PDFName.of("Border"), newNumbers(border.map((value) => value * scale)));
}

function scaledStyle(style: PDFDict, scale: number): PDFDict {
  const width = numberAt(style, "W");
  const kind = style.lookup(PDFName.of("S"));
  const dashes = numbersOf(arrayOf(style, "D"));
  return newDict({
    W: PDFNumber.of((width ?? 1) * scale),
    S: kind instanceof PDFName ? kind : undefined,
    D: dashes && newNumbers(dashes.map((value) => value * scale)),
  });
}

/** Text that a reader sets anew takes its size from `DA`; size 0 means "as fits" and stays. */
function scaleFontSize(copy: PDFDict, scale: number) {
  const appearance = copy.get(PDFName.of("DA"));
  if (!(appearance instanceof PDFString || appearance instanceof PDFHexString)) return;
  const text = bytesOf(appearance);
  const scaled = text.replace(/(\d*\.?\d+)(\s+Tf\b)/, (_, size, operator) => {
    return Number((Number(size) * scale).toFixed(3)) + operator;
  });
  if (scaled !== text) copy.set(PDFName.of("DA"), stringOfBytes(scaled));
}

function arrayOf(dict: PDFDict, key: string): PDFArray | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFArray ? value : undefined;
}
