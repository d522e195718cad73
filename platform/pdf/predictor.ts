/** PNG and TIFF predictors of Flate and LZW data (ISO 32000-1 §7.4.4.4). */
import { type PDFDict, PDFName, PDFNumber } from "pdf-lib";

export type Predictor = { kind: number; colors: number; bitsPerComponent: number; columns: number };

/** The predictor that a filter's parameters ask for; undefined when there is none to undo. */
export function predictorOf(parms: PDFDict | undefined): Predictor | undefined {
  const kind = numberOf(parms, "Predictor", 1);
  if (parms === undefined || kind < 2) return undefined;
  return {
    kind,
    colors: numberOf(parms, "Colors", 1),
    bitsPerComponent: numberOf(parms, "BitsPerComponent", 8),
    columns: numberOf(parms, "Columns", 1),
  };
}

/** The bytes before prediction; undefined when the parameters make no sense. A last row cut short is left as it is. */
export function undoPredictor(data: Uint8Array, predictor: Predictor): Uint8Array | undefined {
  const { kind, colors, bitsPerComponent, columns } = predictor;
  const sane = colors >= 1 && colors <= 32 && [1, 2, 4, 8, 16].includes(bitsPerComponent) && columns >= 1;
  const rowBytes = Math.ceil((columns * colors * bitsPerComponent) / 8);
  if (!sane || !Number.isSafeInteger(rowBytes) || rowBytes > 2 ** 28) return undefined;
  const pixelBytes = Math.max(1, (colors * bitsPerComponent) >> 3);
  if (kind >= 10) return undoPng(data, rowBytes, pixelBytes);
  return bitsPerComponent === 8 ? undoTiffBytes(data, rowBytes, colors) : undefined;
}

function undoTiffBytes(data: Uint8Array, rowBytes: number, colors: number): Uint8Array {
  const out = Uint8Array.from(data);
  for (let row = 0; row < out.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, out.length);
    for (let at = row + colors; at < end; at += 1) out[at] = (out[at] ?? 0) + (out[at - colors] ?? 0);
  }
  return out;
}

function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const out = new Uint8Array(Math.max(0, data.length - rows));
  let above = new Uint8Array(rowBytes);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (rowBytes + 1);
    const filtered = data.subarray(from + 1, from + 1 + rowBytes);
    const plain = out.subarray(row * rowBytes, row * rowBytes + filtered.length);
    undoPngRow(data[from] ?? 0, filtered, plain, above, pixelBytes);
    above = plain;
  }
  return out;
}

function undoPngRow(type: number, row: Uint8Array, out: Uint8Array, above: Uint8Array, bpp: number): void {
  if (type === 0 || type > 4) {
    out.set(row);
    return;
  }
  for (let at = 0; at < row.length; at += 1) {
    const left = at >= bpp ? (out[at - bpp] as number) : 0;
    const up = (above[at] as number) ?? 0;
    const guess =
      type === 1
        ? left
        : type === 2
          ? up
          : type === 3
            ? (left + up) >> 1
            : paeth(left, up, at >= bpp ? (above[at - bpp] as number) : 0);
    out[at] = (row[at] as number) + guess;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const toLeft = Math.abs(guess - left);
  const toUp = Math.abs(guess - up);
  const toUpLeft = Math.abs(guess - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

function numberOf(dict: PDFDict | undefined, key: string, otherwise: number): number {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : otherwise;
}
