/** A result as it grows: in memory while it is small, in a file of the attempt's folder once it is not. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { ResultFile } from "../operation.ts";

export type OutputFile = {
  /** Bytes written so far: the offset at which the next write begins. */
  size(): number;
  write(bytes: Uint8Array): void;
  /** Ends the file; nothing may be written after. */
  finish(): ResultFile;
  /** Gives up: closes and removes whatever is on disk. */
  discard(): void;
};

const chunkBytes = 1 << 20;

/**
 * @param path where the file goes if it outgrows memory; nothing is created there before
 * @param memoryBytes from this size on the bytes live on disk
 */
export function createOutputFile(path: string, memoryBytes: number): OutputFile {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let size = 0;
  let descriptor: number | undefined;

  function spill() {
    descriptor ??= openSync(path, "wx", 0o600);
    writeWhole(descriptor, Buffer.concat(pending, pendingBytes));
    pending = [];
    pendingBytes = 0;
  }

  return {
    size: () => size,
    write(bytes) {
      size += bytes.length;
      if (size > memoryBytes && bytes.length >= chunkBytes) {
        // Large streams go straight through: joining them with the rest would copy them once more.
        spill();
        writeWhole(descriptor as number, bytes);
        return;
      }
      pending.push(bytes);
      pendingBytes += bytes.length;
      if (size > memoryBytes && pendingBytes >= chunkBytes) spill();
    },
    finish() {
      if (descriptor === undefined) return joined(pending, pendingBytes);
      spill();
      closeSync(descriptor);
      descriptor = undefined;
      return { path, size };
    },
    discard() {
      pending = [];
      if (descriptor === undefined) return;
      closeSync(descriptor);
      rmSync(path, { force: true });
    },
  };
}

/** The bytes of a result, wherever they are. */
export function readResultFile(file: ResultFile): Uint8Array {
  return file instanceof Uint8Array ? file : readFileSync(file.path);
}

/** In a buffer of its own: `Buffer.concat` may lend a piece of a shared one, which cannot be handed to another thread. */
function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

function writeWhole(descriptor: number, bytes: Uint8Array) {
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(descriptor, bytes, offset);
}
