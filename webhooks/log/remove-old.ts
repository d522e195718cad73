import type { BlobStore } from "../../platform/blob-store.ts";
import { formatId } from "../../platform/contracts/ids.ts";
import type { Database } from "../../platform/database.ts";

export const keepMs = 30 * 24 * 3600 * 1000;
const batchSize = 200;

type Deps = { db: Database; blobs: BlobStore; now: Date };

/**
 * Removes events older than 30 days with all their deliveries and attempts, a few at a time so that no new delivery
 * waits for a lock. Whatever its state: what could not be delivered for a month is given up.
 * @returns how many events
 */
export async function removeOld({ db, blobs, now }: Deps): Promise<number> {
  // Ids begin with their time: the primary key finds the oldest.
  const before = formatId("event", now.getTime() - keepMs, new Uint8Array(10));
  let count = 0;
  for (;;) {
    const events = await db("events")
      .where("id", "<", before)
      .orderBy("id")
      .limit(batchSize)
      .select("id", "blob_key");
    for (const { id, blob_key } of events) {
      if (blob_key !== null) await blobs.removeOwner({ kind: "events", id });
    }
    const ids = events.map(({ id }) => id as string);
    await removeEvents(db, ids);
    count += ids.length;
    if (ids.length < batchSize) break;
  }
  await removeCallAddresses(db, new Date(now.getTime() - keepMs));
  return count;
}

/** Addresses that calls named and that have no delivery left. */
async function removeCallAddresses(db: Database, before: Date): Promise<void> {
  await db("endpoints")
    .where("kind", "call")
    .andWhere("created_at", "<", before)
    .whereNotExists(db("deliveries").select(db.raw("1")).whereRaw("deliveries.endpoint_id = endpoints.id"))
    .limit(batchSize)
    .del();
}

async function removeEvents(db: Database, ids: readonly string[]): Promise<void> {
  const deliveries: string[] = await db("deliveries").whereIn("event_id", ids).pluck("id");
  await db("attempts").whereIn("delivery_id", deliveries).del();
  await db("deliveries").whereIn("id", deliveries).del();
  // Last: what a crash leaves is found again by its event.
  await db("events").whereIn("id", ids).del();
}
