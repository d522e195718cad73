import type { BlobStore } from "../../platform/blob-store.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { expiredJobs, jobExists, removeJob } from "./job-rows.ts";

const hour = 3600 * 1000;
/** A job and its blobs are kept this long after its end. */
export const keptMs = 24 * hour;
/** Blobs may lie without a row while their upload goes on; no upload lasts this long. */
const orphanedAfterMs = 2 * hour;
const batchSize = 100;

type Deps = { db: Database; blobs: BlobStore; log: Logger; now: () => Date };

/** Removes jobs past their time: first the blobs, so that a crash between leaves the row to come back to. */
export async function removeExpiredJobs({ db, blobs, log, now }: Deps): Promise<void> {
  for (;;) {
    const ids = await expiredJobs(db, now(), batchSize);
    for (const id of ids) await eraseJob(db, blobs, id);
    if (ids.length > 0) log.info({ count: ids.length }, "expired jobs removed");
    if (ids.length < batchSize) return;
  }
}

export async function eraseJob(db: Database, blobs: BlobStore, id: string): Promise<void> {
  await blobs.removeOwner({ kind: "jobs", id });
  await removeJob(db, id);
}

/** Removes blobs that a crash left behind: of jobs that have no row, and of uploads whose call is long over. */
export async function removeOrphans({ db, blobs, log }: Deps): Promise<void> {
  let count = 0;
  for await (const owner of blobs.owners("jobs", orphanedAfterMs)) {
    if (await jobExists(db, owner.id)) continue;
    await blobs.removeOwner(owner);
    count += 1;
  }
  for await (const owner of blobs.owners("uploads", orphanedAfterMs)) {
    await blobs.removeOwner(owner);
    count += 1;
  }
  if (count > 0) log.info({ count }, "blobs without an owner removed");
}
