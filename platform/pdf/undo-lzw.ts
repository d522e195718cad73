/** LZWDecode (ISO 32000-1 §7.4.4). */
import { growingBytes } from "./growing-bytes.ts";

const clearTable = 256;
const endOfData = 257;
const maxCodes = 4096;

/**
 * The plain bytes of LZW data; what follows a code that cannot be is left out.
 * @param earlyChange 1 when codes grow one entry early, as they do unless the stream says otherwise.
 * @throws Failure `too_complex` over `maxBytes`.
 */
export function undoLzw(data: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array {
  const out = growingBytes(maxBytes, data.length * 4);
  let table: Uint8Array[] = [];
  let width = 9;
  let previous: Uint8Array | undefined;
  let held = 0;
  let heldBits = 0;
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff;
    heldBits += 8;
    if (heldBits < width) continue;
    heldBits -= width;
    const code = (held >> heldBits) & ((1 << width) - 1);
    if (code === endOfData) break;
    if (code === clearTable) {
      table = [];
      width = 9;
      previous = undefined;
      continue;
    }
    const entry = code < clearTable ? Uint8Array.of(code) : (table[code - 258] ?? repeatFirst(previous));
    if (entry === undefined) break;
    out.append(entry);
    if (previous && table.length + 258 < maxCodes) table.push(joined(previous, entry[0] ?? 0));
    previous = entry;
    const next = table.length + 258 + earlyChange;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return out.take();
}

function repeatFirst(previous: Uint8Array | undefined): Uint8Array | undefined {
  return previous && joined(previous, previous[0] ?? 0);
}

function joined(bytes: Uint8Array, last: number): Uint8Array {
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  longer[bytes.length] = last;
  return longer;
}
