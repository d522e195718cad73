import type { Matrix } from "../place-field.ts";

/** A number as content streams have it (ISO 32000-1 §7.3.3): no exponent, no more digits than a printer can tell. */
export function number(value: number): string {
  const text = value.toFixed(3).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}

export function matrix(values: Matrix): string {
  return values.map(preciseNumber).join(" ");
}

// The small numbers of a matrix are multiplied by large ones.
function preciseNumber(value: number): string {
  return value
    .toFixed(6)
    .replace(/\.?0+$/, "")
    .replace(/^-0$/, "0");
}
