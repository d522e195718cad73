import { readFile } from "node:fs/promises";

/**
 * Gives a file's bytes to `use` and takes their memory back at once: left to the garbage collector, a few documents
 * of 100 MB would pile up before it looks. Nothing that `use` returns may refer to the bytes.
 */
export async function withWholeFile<Result>(
  path: string,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const bytes = await readFile(path);
  try {
    return await use(bytes);
  } finally {
    // Small files share their memory with others.
    if (bytes.length === bytes.buffer.byteLength) (bytes.buffer as ArrayBuffer).transfer(0);
  }
}
