import { open } from "node:fs/promises";

/** Writes a file anew from pieces, and returns once they are on disk: what is announced must survive a crash. */
export async function writeDurably(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    for (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
