/** A result as it grows: in memory while it is small, in a file of the attempt's folder once it is not. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { ResultFile } from "../operation.ts";

export type OutputFile = {
  /** Bytes written so far: the offset at which the next write begins. */
  size(): number;
  /** Takes a copy: the caller may give the memory of `bytes` back. */
  write(bytes: Uint8Array): void;
  /** Ends the file; nothing may be written after. */
  finish(): ResultFile;
  /** Gives up: closes and removes whatever is on disk. */
  discard(): void;
};

const firstPieceBytes = 1 << 12;
const maxPieceBytes = 1 << 20;

/**
 * @param path where the file goes if it outgrows memory; nothing is created there before
 * @param memoryBytes from this size on the bytes live on disk
 */
export function createOutputFile(path: string, memoryBytes: number): OutputFile {
  let full: Uint8Array[] = [];
  let piece = new Uint8Array(firstPieceBytes);
  let used = 0;
  let size = 0;
  let descriptor: number | undefined;

  function copy(bytes: Uint8Array) {
    if (used + bytes.length > piece.length) {
      full.push(piece.subarray(0, used));
      piece = new Uint8Array(Math.max(bytes.length, Math.min(maxPieceBytes, piece.length * 2)));
      used = 0;
    }
    piece.set(bytes, used);
    used += bytes.length;
  }

  function spill() {
    descriptor ??= openSync(path, "wx", 0o600);
    for (const written of [...full, piece.subarray(0, used)]) writeWhole(descriptor, written);
    full = [];
    used = 0;
  }

  return {
    size: () => size,
    write(bytes) {
      size += bytes.length;
      const onDisk = size > memoryBytes;
      // Large ones go straight through; small ones are gathered, for a system call each would cost more.
      if (onDisk && (bytes.length >= maxPieceBytes || used + bytes.length > piece.length)) spill();
      if (onDisk && bytes.length >= maxPieceBytes) writeWhole(descriptor as number, bytes);
      else copy(bytes);
    },
    finish() {
      if (descriptor === undefined) return joined([...full, piece.subarray(0, used)], size);
      spill();
      closeSync(descriptor);
      descriptor = undefined;
      return { path, size };
    },
    discard() {
      full = [];
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
