import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../platform/blob-store.ts";
import type { BlobRef } from "../platform/contracts/blob.ts";

/** Gives work a path at which the blob can be read, and a folder that is gone after the work. */
export type WithLocalFile = <Result>(
  blob: BlobRef,
  work: (path: string, folder: string) => Promise<Result>,
) => Promise<Result>;

/** @param workDir where the folders are made */
export function createWithLocalFile({
  blobs,
  workDir,
}: {
  blobs: BlobStore;
  workDir: string;
}): WithLocalFile {
  return async function withLocalFile(blob, work) {
    const folder = await mkdtemp(join(workDir, "sign-"));
    try {
      return await work(await blobs.localPath(blob, folder), folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}
