import type { BlobStore } from "../../platform/blob-store.ts";
import type { Database } from "../../platform/database.ts";
import { keepMs } from "./remove-old.ts";

/**
 * Removes bodies that no event has: their owner stored them and was undone before it announced the event. Only what is
 * older than any event can be.
 */
export async function removeOrphans({ db, blobs }: { db: Database; blobs: BlobStore }): Promise<number> {
  let count = 0;
  for await (const owner of blobs.owners("events", keepMs + 2 * 24 * 3600 * 1000)) {
    if ((await db("events").where({ id: owner.id }).first("id")) !== undefined) continue;
    await blobs.removeOwner(owner);
    count++;
  }
  return count;
}
