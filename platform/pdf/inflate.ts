/** Flate data made plain under a byte cap, by the native library: pdf-lib's own decoder has neither cap nor speed. */
import { constants, inflateRawSync, inflateSync } from "node:zlib";
import { Failure } from "../contracts/failures.ts";

/**
 * The plain bytes of zlib data. Data cut short gives what there is of it, and a wrong checksum is overlooked, as readers do.
 * @throws Failure `too_complex` when the plain data is longer than `maxBytes`; a plain `Error` when it is not Flate data.
 */
export function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  // finishFlush: a truncated stream ends where its bytes end instead of being refused.
  const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return inflateSync(data, options);
  } catch (fault) {
    if (isOverCap(fault)) throw tooLarge(maxBytes, fault);
  }
  try {
    // Without header and checksum: what is left to fail is the data itself.
    return inflateRawSync(data.subarray(2), options);
  } catch (fault) {
    if (isOverCap(fault)) throw tooLarge(maxBytes, fault);
    throw fault;
  }
}

function isOverCap(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "ERR_BUFFER_TOO_LARGE";
}

function tooLarge(maxBytes: number, cause: unknown): Failure {
  const megabytes = Math.round(maxBytes / 2 ** 20);
  return new Failure(
    "too_complex",
    `A part of this PDF unpacks to more than ${megabytes} MB, which is over the bound.`,
    {
      cause,
    },
  );
}
