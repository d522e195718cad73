/** The table that tells a reader where each object is, as a stream (ISO 32000-1 §7.5.8). */
import { deflateSync } from "node:zlib";

/** An object's place: at a byte offset of the file, or as the n-th of an object stream. */
export type ObjectPlace =
  | { kind: "offset"; offset: number }
  | { kind: "packed"; stream: number; index: number };

const rowBytes = 8;

/**
 * @param places by object number; a number without a place is a free one
 * @param size one more than the highest number in use
 */
export function crossReferenceStream(
  places: readonly (ObjectPlace | undefined)[],
  size: number,
): { entries: string; contents: Uint8Array } {
  const rows = Buffer.alloc(size * rowBytes);
  rows.writeUInt16BE(0xffff, rowBytes - 2);
  for (let number = 1; number < size; number += 1) {
    const place = places[number];
    if (place) writeRow(rows, number * rowBytes, place);
  }
  const contents = deflateSync(differences(rows, size));
  const parms = `/DecodeParms<</Predictor 12/Columns ${rowBytes}>>`;
  return {
    entries: `/Type/XRef/Size ${size}/W[1 5 2]/Length ${contents.length}/Filter/FlateDecode${parms}`,
    contents,
  };
}

function writeRow(rows: Buffer, at: number, place: ObjectPlace) {
  const packed = place.kind === "packed";
  rows[at] = packed ? 2 : 1;
  rows.writeUIntBE(packed ? place.stream : place.offset, at + 1, 5);
  rows.writeUInt16BE(packed ? place.index : 0, at + 6);
}

/** Each row less the one above it, with PNG's tag for that: rows so alike pack to a fraction. */
function differences(rows: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size * (rowBytes + 1));
  for (let row = 0; row < size; row += 1) {
    const to = row * (rowBytes + 1);
    out[to] = 2;
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column;
      out[to + 1 + column] = (rows[at] ?? 0) - (row > 0 ? (rows[at - rowBytes] ?? 0) : 0);
    }
  }
  return out;
}
