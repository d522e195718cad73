/** Flate data at the library's best: level 9 with its largest memory. */
import { promisify } from "node:util";
import { deflate } from "node:zlib";

const deflateInPool = promisify<Uint8Array, object, Buffer>(deflate);

/** zlib data (FlateDecode), made off the main thread, so that several streams keep several cores busy. */
export function deflateBest(plain: Uint8Array): Promise<Uint8Array> {
  return deflateInPool(plain, { level: 9, memLevel: 9 });
}
