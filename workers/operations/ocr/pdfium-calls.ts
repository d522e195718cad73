/** Calls into PDFium by its C names (fpdfview.h, fpdf_text.h, fpdf_edit.h): pointers and handles are numbers. */
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";

type Exported = { readonly [name: string]: ((...args: number[]) => number) | undefined };

/** Calls an export. One that is missing is a fault of the package's version, so it throws. */
export function call(pdfium: Pdfium, name: `F${string}`, ...args: number[]): number {
  const exported = (pdfium.functions as unknown as Exported)[name];
  if (exported === undefined) throw new Error(`PDFium exports no ${name}`);
  return exported(...args);
}

/** Memory inside PDFium for the time of `use`. */
export function withMemory<Result>(pdfium: Pdfium, bytes: number, use: (pointer: number) => Result): Result {
  const pointer = pdfium.functions.malloc(bytes);
  if (pointer === 0) throw new Error("PDFium is out of memory");
  try {
    return use(pointer);
  } finally {
    pdfium.functions.free(pointer);
  }
}

/** The 32-bit floats that a function writes to the pointer it is given; null when it answers false. */
export function readFloats(
  pdfium: Pdfium,
  count: number,
  fill: (pointer: number) => number,
): number[] | null {
  return withMemory(pdfium, 4 * count, (pointer) => {
    if (fill(pointer) === 0) return null;
    return [...new Float32Array(pdfium.module.HEAPU8.buffer, pointer, count)];
  });
}

/** The same for 64-bit floats. */
export function readDoubles(
  pdfium: Pdfium,
  count: number,
  fill: (pointer: number) => number,
): number[] | null {
  return withMemory(pdfium, 8 * count, (pointer) => {
    if (fill(pointer) === 0) return null;
    return [...new Float64Array(pdfium.module.HEAPU8.buffer, pointer, count)];
  });
}

/** The two 32-bit integers that a function writes to the pointers it is given. */
export function readTwoIntegers(
  pdfium: Pdfium,
  fill: (first: number, second: number) => number,
): [number, number] {
  return withMemory(pdfium, 8, (pointer) => {
    fill(pointer, pointer + 4);
    const [first = 0, second = 0] = new Int32Array(pdfium.module.HEAPU8.buffer, pointer, 2);
    return [first, second];
  });
}
