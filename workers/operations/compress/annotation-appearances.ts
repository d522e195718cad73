/** The appearance streams of a page's annotations, and where they show (ISO 32000-1 §12.5.5). */
import { PDFArray, PDFDict, PDFName, type PDFPageLeaf, PDFRawStream } from "pdf-lib";
import { type Matrix, matrixOfObject, numbersOf } from "./matrix.ts";

export type Appearance = { form: PDFRawStream; matrix: Matrix };

/** All appearances, normal, rollover and down, of all states, with the matrix from the form's outer space to the page. */
export function annotationAppearances(leaf: PDFPageLeaf): Appearance[] {
  const annotations = leaf.lookup(PDFName.of("Annots"));
  if (!(annotations instanceof PDFArray)) return [];
  const found: Appearance[] = [];
  for (let index = 0; index < annotations.size(); index += 1) {
    const annotation = annotations.lookup(index);
    const appearance = annotation instanceof PDFDict ? annotation.lookup(PDFName.of("AP")) : undefined;
    if (!(annotation instanceof PDFDict) || !(appearance instanceof PDFDict)) continue;
    for (const form of formsOf(appearance, 2)) found.push({ form, matrix: toPage(form, annotation) });
  }
  return found;
}

function formsOf(dict: PDFDict, depth: number): PDFRawStream[] {
  return dict.keys().flatMap((key) => {
    const value = dict.lookup(key);
    if (value instanceof PDFRawStream) return [value];
    return value instanceof PDFDict && depth > 1 ? formsOf(value, depth - 1) : [];
  });
}

/** The scale that makes the form's transformed box fill the annotation's rectangle. */
function toPage(form: PDFRawStream, annotation: PDFDict): Matrix {
  const box = numbersOf(form.dict.lookup(PDFName.of("BBox")));
  const rect = numbersOf(annotation.lookup(PDFName.of("Rect")));
  if (box?.length !== 4 || rect?.length !== 4) return [1, 0, 0, 1, 0, 0];
  const [a, b, c, d] = matrixOfObject(form.dict.lookup(PDFName.of("Matrix")));
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const width = Math.abs(a * (x1 - x0)) + Math.abs(c * (y1 - y0));
  const height = Math.abs(b * (x1 - x0)) + Math.abs(d * (y1 - y0));
  const scaleX = width > 0 ? Math.abs(right - left) / width : 1;
  const scaleY = height > 0 ? Math.abs(top - bottom) / height : 1;
  return [scaleX, 0, 0, scaleY, 0, 0];
}
