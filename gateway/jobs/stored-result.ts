import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobRef } from "../../platform/contracts/blob.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import type { ResultData } from "../../platform/contracts/result-data.ts";
import type { AnswerFile } from "../route.ts";
import type { StoredResult } from "./job.ts";

/** Opens the result of a completed job. @throws Failure not_found when it was erased meanwhile */
export async function openResult(
  blobs: BlobStore,
  stored: StoredResult,
): Promise<{ data: ResultData; files: AnswerFile[] }> {
  return {
    data: await dataOf(blobs, stored),
    files: stored.files === null ? [] : filesOf(blobs, stored.files, stored.fileSizes),
  };
}

async function dataOf(blobs: BlobStore, { result }: StoredResult): Promise<ResultData> {
  if ("data" in result) return result.data as ResultData;
  const data = await json(blobs.read(result)).catch((cause) => {
    throw new Failure("not_found", "The result of this job is no longer kept.", { cause });
  });
  return data as ResultData;
}

/** The files lie in one blob, one after the other. */
function filesOf(blobs: BlobStore, blob: BlobRef, sizes: readonly number[]): AnswerFile[] {
  let next = 0;
  return sizes.map((size) => {
    const start = next;
    next += size;
    const range = { start, endExclusive: next };
    return { size, open: () => (size === 0 ? Readable.from([]) : blobs.read(blob, range)) };
  });
}
