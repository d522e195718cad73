/** Transformation matrices as PDF writes them: x' = a·x + c·y + e, y' = b·x + d·y + f (ISO 32000-1 §8.3.3). */
import { PDFArray, PDFNumber, type PDFObject } from "pdf-lib";
import type { Operand } from "./content-operators.ts";

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`: what `cm` does to the current matrix. */
export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [oa, ob, oc, od, oe, of] = outer;
  return [
    a * oa + b * oc,
    a * ob + b * od,
    c * oa + d * oc,
    c * ob + d * od,
    e * oa + f * oc + oe,
    e * ob + f * od + of,
  ];
}

/** The matrix of six operands; undefined when they are not six numbers. */
export function matrixOfOperands(operands: readonly Operand[]): Matrix | undefined {
  if (operands.length !== 6 || !operands.every((operand) => typeof operand === "number")) return undefined;
  return operands as unknown as Matrix;
}

/** The matrix of a PDF array; the identity for anything else. */
export function matrixOfObject(object: PDFObject | undefined): Matrix {
  const numbers = numbersOf(object);
  return numbers?.length === 6 ? (numbers as unknown as Matrix) : identity;
}

/** The numbers of a PDF array; undefined when it holds anything else. */
export function numbersOf(object: PDFObject | undefined): number[] | undefined {
  if (!(object instanceof PDFArray)) return undefined;
  const numbers: number[] = [];
  for (let index = 0; index < object.size(); index += 1) {
    const item = object.lookup(index);
    if (!(item instanceof PDFNumber)) return undefined;
    numbers.push(item.asNumber());
  }
  return numbers;
}
