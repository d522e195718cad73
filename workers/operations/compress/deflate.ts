/** Flate data at the library's best: level 9 with its largest memory. */
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";

const deflateInPool = promisify<Uint8Array, object, Buffer>(deflate);

const best = { level: 9, memLevel: 9 };
// Handing so little to another thread takes longer than doing it.
const smallBytes = 16_384;

/** zlib data (FlateDecode); more than a little is made off the main thread, so that several streams keep several cores busy. */
export async function deflateBest(plain: Uint8Array): Promise<Uint8Array> {
  return plain.length <= smallBytes ? deflateSync(plain, best) : deflateInPool(plain, best);
}
