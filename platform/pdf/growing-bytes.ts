/** Bytes gathered piece by piece, up to a cap: what the decoders without a native library write into. */
import { Failure } from "../contracts/failures.ts";

export type GrowingBytes = {
  push: (byte: number) => void;
  append: (bytes: Uint8Array) => void;
  take: () => Uint8Array;
};

/** An empty gathering. @throws Failure `too_complex` from the push that would pass `maxBytes`. */
export function growingBytes(maxBytes: number, expectedBytes: number): GrowingBytes {
  let buffer = new Uint8Array(Math.min(maxBytes, Math.max(64, expectedBytes)));
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return;
    if (length + more > maxBytes) {
      throw new Failure("too_complex", "A part of this PDF unpacks to more data than the bound allows.");
    }
    const grown = new Uint8Array(Math.min(maxBytes, Math.max(buffer.length * 2, length + more)));
    grown.set(buffer.subarray(0, length));
    buffer = grown;
  };
  return {
    push(byte) {
      reserve(1);
      buffer[length] = byte;
      length += 1;
    },
    append(bytes) {
      reserve(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    take: () => buffer.subarray(0, length),
  };
}
