import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { BlobStore } from "../platform/blob-store.ts";
import { maxDataBytes, type PdfOutcome } from "../platform/contracts/pdf-job.ts";
import type { OperationResult, ResultFile } from "./operations/operation.ts";

const chunkBytes = 512 * 1024;

/** Puts a result under its job: all files one after the other as one blob, and the data as another unless it is small. */
export async function storeResult(
  blobs: BlobStore,
  jobId: string,
  { data, files }: OperationResult,
): Promise<PdfOutcome> {
  const owner = { kind: "jobs", id: jobId } as const;
  const json = Buffer.from(JSON.stringify(data));
  const [result, stored] = await Promise.all([
    json.length <= maxDataBytes ? { data } : blobs.put(owner, Readable.from([json])),
    files.length === 0 ? null : blobs.put(owner, bytesOf(files)),
  ]);
  return { ok: true, result, files: stored, fileSizes: files.map(sizeOf) };
}

async function* bytesOf(files: readonly ResultFile[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    if (file instanceof Uint8Array) yield* chunksOf(file);
    else yield* createReadStream(file.path, { highWaterMark: chunkBytes });
  }
}

/** In pieces, so that hashing a large one does not hold up the heartbeats. */
function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}

function sizeOf(file: ResultFile): number {
  return file instanceof Uint8Array ? file.byteLength : file.size;
}
