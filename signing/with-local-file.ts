import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../platform/blob-store.ts";
import type { BlobRef } from "../platform/contracts/blob.ts";

/** Gives work a path at which the blob can be read; `makeFolder` makes a folder that is gone after the work. */
export type WithLocalFile = <Result>(
  blob: BlobRef,
  work: (path: string, makeFolder: () => Promise<string>) => Promise<Result>,
) => Promise<Result>;

const prefix = "sign-";

/** @param workDir where the folders are made */
export function createWithLocalFile({
  blobs,
  workDir,
}: {
  blobs: BlobStore;
  workDir: string;
}): WithLocalFile {
  return async function withLocalFile(blob, work) {
    const folder = join(workDir, prefix + randomUUID());
    // Most work reads the blob where it lies, and has nothing to clear away.
    let isThere = true;
    const makeFolder = async () => {
      isThere = true;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    };
    try {
      const path = await blobs.localPath(blob, folder);
      isThere = path.startsWith(folder);
      return await work(path, makeFolder);
    } finally {
      if (isThere) await rm(folder, { recursive: true, force: true });
    }
  };
}

/** No work takes this long: its process was killed. */
const abandonedAfterMs = 3600_000;

/** Removes what killed processes left. */
export async function removeAbandoned(workDir: string, now: Date): Promise<void> {
  for (const name of await readdir(workDir).catch(() => [])) {
    const path = join(workDir, name);
    const touched = await stat(path).catch(() => null);
    const isOld = touched !== null && now.getTime() - touched.mtimeMs > abandonedAfterMs;
    if (name.startsWith(prefix) && isOld) await rm(path, { recursive: true, force: true });
  }
}
