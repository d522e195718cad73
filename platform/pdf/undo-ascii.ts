/** ASCII85Decode, ASCIIHexDecode and RunLengthDecode (ISO 32000-1 §7.4.2, §7.4.3, §7.4.5). */
import { growingBytes } from "./growing-bytes.ts";

/** The bytes behind base-85 text, up to its `~>`; characters outside the alphabet are skipped. */
export function undoAscii85(data: Uint8Array): Uint8Array {
  const out = growingBytes(data.length * 4 + 8, data.length);
  let value = 0;
  let digits = 0;
  for (const byte of data) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) {
      for (let index = 0; index < 4; index += 1) out.push(0);
      continue;
    }
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + (byte - 0x21);
    digits += 1;
    if (digits < 5) continue;
    for (let shift = 24; shift >= 0; shift -= 8) out.push((value >>> shift) & 0xff);
    value = 0;
    digits = 0;
  }
  if (digits > 1) {
    for (let index = digits; index < 5; index += 1) value = value * 85 + 84;
    for (let index = 0; index < digits - 1; index += 1) out.push((value >>> (24 - 8 * index)) & 0xff);
  }
  return out.take();
}

/** The bytes behind hexadecimal text, up to its `>`; a missing last digit is 0. */
export function undoAsciiHex(data: Uint8Array): Uint8Array {
  const out = growingBytes(data.length + 1, data.length >> 1);
  let high = -1;
  for (const byte of data) {
    if (byte === 0x3e) break;
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) continue;
    if (high < 0) high = digit;
    else {
      out.push(high * 16 + digit);
      high = -1;
    }
  }
  if (high >= 0) out.push(high * 16);
  return out.take();
}

/** The bytes behind run lengths, up to the end mark 128. @throws Failure `too_complex` over `maxBytes`. */
export function undoRunLength(data: Uint8Array, maxBytes: number): Uint8Array {
  const out = growingBytes(maxBytes, data.length * 2);
  let at = 0;
  while (at < data.length) {
    const length = data[at] ?? 128;
    if (length === 128) break;
    if (length < 128) {
      out.append(data.subarray(at + 1, at + 2 + length));
      at += length + 2;
    } else {
      out.append(new Uint8Array(257 - length).fill(data[at + 1] ?? 0));
      at += 2;
    }
  }
  return out.take();
}
