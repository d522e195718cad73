/** The cross-reference section of a file, as a stream or as a table (ISO 32000-1 §7.5.4, §7.5.8). */
import { deflateBest } from "./deflate.ts";

/** Where an object stands: at an offset of the file, or at an index in an object stream of the given number. */
export type Place = { offset: number } | { pack: number; index: number };

/**
 * The section as a stream that is itself object `number`, at `offset`, and the last of the file.
 * @param trailer The trailer's entries as text, without Size.
 */
export async function crossReferenceStream(
  places: ReadonlyMap<number, Place>,
  number: number,
  offset: number,
  trailer: string,
): Promise<Uint8Array> {
  const offsetBytes = offset > 0xffffff ? 4 : 3;
  const row = 1 + offsetBytes + 2;
  const rows = Buffer.alloc((number + 1) * row);
  for (let object = 1; object <= number; object += 1) {
    const place = object === number ? { offset } : places.get(object);
    if (place === undefined) continue;
    const at = object * row;
    const packed = "pack" in place;
    rows.writeUInt8(packed ? 2 : 1, at);
    rows.writeUIntBE(packed ? place.pack : place.offset, at + 1, offsetBytes);
    if (packed) rows.writeUInt16BE(place.index, at + 1 + offsetBytes);
  }
  const data = await deflateBest(differences(rows, row));
  const parms = `<</Predictor 12/Columns ${row}>>`;
  const dict = `<</Type/XRef/Size ${number + 1}/W[1 ${offsetBytes} 2]${trailer}/Filter/FlateDecode/DecodeParms${parms}`;
  const head = Buffer.from(`${number} 0 obj\n${dict}/Length ${data.length}>>stream\n`, "latin1");
  return Buffer.concat([head, data, Buffer.from("\nendstream\nendobj\n")]);
}

/** The section as a table with its trailer; `size` is one more than the highest number. */
export function crossReferenceTable(
  places: ReadonlyMap<number, Place>,
  size: number,
  trailer: string,
): Uint8Array {
  let text = `xref\n0 ${size}\n0000000000 65535 f \n`;
  for (let object = 1; object < size; object += 1) {
    const place = places.get(object);
    const offset = place && "offset" in place ? place.offset : 0;
    text += `${String(offset).padStart(10, "0")} 00000 n \n`;
  }
  return Buffer.from(`${text}trailer\n<</Size ${size}${trailer}>>\n`, "latin1");
}

/** PNG's Up predictor: rows that resemble the one above become zeros. */
function differences(rows: Uint8Array, width: number): Uint8Array {
  const count = rows.length / width;
  const out = new Uint8Array(count * (width + 1));
  for (let row = 0; row < count; row += 1) {
    out[row * (width + 1)] = 2;
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column;
      out[row * (width + 1) + 1 + column] =
        (rows[at] as number) - (row > 0 ? (rows[at - width] as number) : 0);
    }
  }
  return out;
}
