import type { BlobStore } from "../platform/blob-store.ts";
import type { Database } from "../platform/database.ts";
import type { Logger } from "../platform/log.ts";
import { existingRequests } from "./requests/due-requests.ts";

/** By then no creation is under way any more that could still claim its upload. */
const afterMs = 24 * 3600_000;
const batchSize = 500;

/** Removes uploads of requests that never came to be. */
export async function removeOrphans({
  db,
  blobs,
  log,
}: {
  db: Database;
  blobs: BlobStore;
  log: Logger;
}): Promise<void> {
  let batch: string[] = [];
  let removed = 0;
  const settle = async () => {
    const known = await existingRequests(db, batch);
    for (const id of batch) {
      if (known.has(id)) continue;
      await blobs.removeOwner({ kind: "requests", id });
      removed++;
    }
    batch = [];
  };
  for await (const { id } of blobs.owners("requests", afterMs)) {
    if (batch.push(id) === batchSize) await settle();
  }
  if (batch.length > 0) await settle();
  if (removed > 0) log.info({ removed }, "orphaned uploads removed");
}
