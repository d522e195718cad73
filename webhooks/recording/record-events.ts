import type { Event } from "../../platform/contracts/event.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import { releaseWaiting } from "../delivering/release-waiting.ts";
import { type Hand, takeInHand } from "../delivering/take-in-hand.ts";
import type { Task } from "../delivering/task.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { lockEndpoints } from "./lock-endpoints.ts";
import { numberDeliveries } from "./number-deliveries.ts";

export type RecordingDeps = Hand & { db: Database; now: () => Date };

/** Returns the deliveries that this process is to begin now; the rest waits in the database. */
export type RecordEvents = (events: readonly Event[]) => Promise<Task[]>;

/**
 * Writes events and one delivery for each matching endpoint, in one transaction: an event is recorded with all its
 * deliveries or not at all. An event that was recorded before is passed over, by its id.
 */
export function createRecordEvents(deps: RecordingDeps): RecordEvents {
  return (events) =>
    againOnConflict(deps.db, async (trx) => {
      const fresh = await notRecorded(trx, events);
      if (fresh.length === 0) return [];
      const now = deps.now();
      await insertEvents(trx, fresh, now);
      const endpoints = await lockEndpoints(trx, fresh, now);
      const begun = await insertDeliveries(trx, deps, numberDeliveries(fresh, endpoints, now), now);
      // What was recorded may wait for nothing, and may be what others waited for.
      const keys = fresh.flatMap(({ order }) => (order === null ? [] : [order.key]));
      const released = await releaseWaiting(trx, [...new Set(keys)], now);
      return [...begun, ...(await takeInHand(trx, deps, released))];
    });
}

async function notRecorded(trx: Transaction, events: readonly Event[]): Promise<Event[]> {
  const byId = new Map(events.map((event) => [event.id, event]));
  // Not a decision: a row that appears after this read is refused by the primary key, and all begins anew.
  const known = await trx("events")
    .whereIn("id", [...byId.keys()])
    .select("id");
  for (const { id } of known) byId.delete(id);
  return [...byId.values()];
}

async function insertEvents(trx: Transaction, events: readonly Event[], now: Date): Promise<void> {
  await trx("events").insert(
    events.map(({ id, accountId, type, jobId, body, order, occurredAt }) => ({
      id,
      account_id: accountId,
      type,
      job_id: jobId,
      body_json: body.in === "message" ? body.json : null,
      blob_key: body.in === "blob" ? body.blob.key : null,
      blob_size: body.in === "blob" ? body.blob.size : null,
      order_key: order?.key ?? null,
      order_sequence: order?.sequence ?? null,
      occurred_at: new Date(occurredAt),
      recorded_at: now,
    })),
  );
}
