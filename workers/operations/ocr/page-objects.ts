/** The objects that a page draws, those of its forms within forms included (fpdf_edit.h). */
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import { identity, inTurn, type Matrix } from "./affine.ts";
import { call, readFloats } from "./pdfium-calls.ts";

/** FPDF_PAGEOBJ_TEXT and so on. */
export const objectTypes = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const;

/** `toPage`: from the object's own space to the page's; only of images and forms. False ends the walk. */
export type VisitObject = (object: number, type: number, toPage: Matrix) => boolean;

// Hostile pages nest forms in forms and repeat them; what the first objects say is enough.
const maxObjects = 20_000;
const maxDepth = 6;

export function walkPageObjects(pdfium: Pdfium, page: number, visit: VisitObject): void {
  let objects = 0;
  const boundedVisit: VisitObject = (...seen) => {
    objects += 1;
    return objects <= maxObjects && visit(...seen);
  };
  const list: ObjectList = { count: "FPDFPage_CountObjects", get: "FPDFPage_GetObject", of: page };
  walk(pdfium, list, { toPage: identity, depth: 0 }, boundedVisit);
}

type ObjectList = { count: `F${string}`; get: `F${string}`; of: number };
type Nesting = { toPage: Matrix; depth: number };

function walk(pdfium: Pdfium, list: ObjectList, { toPage, depth }: Nesting, visit: VisitObject): boolean {
  const count = call(pdfium, list.count, list.of);
  for (let index = 0; index < count; index += 1) {
    const object = call(pdfium, list.get, list.of, index);
    if (object === 0) continue;
    const type = call(pdfium, "FPDFPageObj_GetType", object);
    const placed = type === objectTypes.image || type === objectTypes.form;
    const matrix = placed ? inTurn(matrixOf(pdfium, object), toPage) : toPage;
    if (!visit(object, type, matrix)) return false;
    if (type !== objectTypes.form || depth >= maxDepth) continue;
    const inner: ObjectList = { count: "FPDFFormObj_CountObjects", get: "FPDFFormObj_GetObject", of: object };
    if (!walk(pdfium, inner, { toPage: matrix, depth: depth + 1 }, visit)) return false;
  }
  return true;
}

function matrixOf(pdfium: Pdfium, object: number): Matrix {
  const numbers = readFloats(pdfium, 6, (at) => call(pdfium, "FPDFPageObj_GetMatrix", object, at));
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers ?? [];
  return [a, b, c, d, e, f];
}
