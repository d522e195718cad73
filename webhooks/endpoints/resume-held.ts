import type { Database } from "../../platform/database.ts";
import { releaseWaiting } from "../delivering/release-waiting.ts";
import { longestWaitMs } from "../delivering/waiting.ts";

const batchSize = 500;

/**
 * Lets the held deliveries of enabled endpoints go, oldest first, each with a whole schedule before it. Found by
 * looking, not by being told: a process that was killed after it enabled an endpoint has forgotten nothing.
 */
export async function resumeHeld(db: Database, now: Date): Promise<number> {
  // Of both columns, so that the server hops from endpoint to endpoint in the index.
  const holding: { endpoint_id: string }[] = await db("deliveries")
    .where("status", "held")
    .distinct("status", "endpoint_id");
  const endpoints: string[] = await db("endpoints")
    .whereIn(
      "id",
      holding.map(({ endpoint_id }) => endpoint_id),
    )
    .andWhere("status", "enabled")
    .pluck("id");
  let count = 0;
  for (const endpointId of endpoints) {
    for (let resumed = batchSize; resumed === batchSize; count += resumed) {
      resumed = await resumeSome(db, endpointId, now);
    }
  }
  return count;
}

function resumeSome(db: Database, endpointId: string, now: Date): Promise<number> {
  return db.transaction(async (trx) => {
    const rows = await trx("deliveries")
      .where({ status: "held", endpoint_id: endpointId })
      .orderBy(["due_at", "id"])
      .limit(batchSize)
      .select("id", "order_key")
      .forUpdate();
    // As when they were new: the later events of a request wait for the earlier ones' first try.
    const latest = new Date(now.getTime() + longestWaitMs);
    await trx("deliveries")
      .whereIn(
        "id",
        rows.map(({ id }) => id),
      )
      .update({
        status: "pending",
        earlier_tries: trx.ref("tries"),
        due_at: trx.raw("IF(order_key IS NULL, ?, ?)", [now, latest]),
      });
    const keys = rows.flatMap(({ order_key }) => (order_key === null ? [] : [order_key as string]));
    await releaseWaiting(trx, [...new Set(keys)], now);
    return rows.length;
  });
}
