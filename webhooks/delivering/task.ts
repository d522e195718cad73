import type { EventBody } from "../../platform/contracts/event.ts";
import type { DeliveredType } from "../../platform/contracts/webhook-delivery.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";

/** A delivery that this process has in hand, with all that an attempt needs but the endpoint. */
export type Task = {
  deliveryId: string;
  endpointId: string;
  sequence: number;
  tries: number;
  /** Tries made before the schedule was begun anew. */
  earlierTries: number;
  /** The signature request whose later events wait for this first try; null when none can. */
  orderKey: string | null;
  /** The secret that a call brought for its `webhook_url`. */
  callSecret: string | null;
  /** Tried although its endpoint is disabled, to see whether it lives again. */
  probe: boolean;
  event: { id: string; type: DeliveredType; jobId: string | null; body: EventBody };
};

type TaskRow = {
  id: string;
  endpoint_id: string;
  sequence: number;
  tries: number;
  earlier_tries: number;
  order_key: string | null;
  sealed_secret: string | null;
  event_id: string;
  type: DeliveredType;
  job_id: string | null;
  body_json: string | null;
  blob_key: string | null;
  blob_size: number | null;
};

/** The tasks of these deliveries, oldest first. The caller holds them: locked, or leased. */
export async function readTasks(
  db: Database | Transaction,
  secretBox: SecretBox,
  deliveryIds: readonly string[],
): Promise<Task[]> {
  if (deliveryIds.length === 0) return [];
  const rows: TaskRow[] = await db("deliveries as d")
    .join("events as e", "e.id", "d.event_id")
    .whereIn("d.id", deliveryIds)
    .orderBy("d.id")
    .select("d.id", "d.endpoint_id", "d.sequence", "d.tries", "d.earlier_tries", "d.order_key")
    .select(
      "d.sealed_secret",
      "d.event_id",
      "e.type",
      "e.job_id",
      "e.body_json",
      "e.blob_key",
      "e.blob_size",
    );
  return rows.map((row) => ({
    deliveryId: row.id,
    endpointId: row.endpoint_id,
    sequence: row.sequence,
    tries: row.tries,
    earlierTries: row.earlier_tries,
    orderKey: row.order_key,
    callSecret: row.sealed_secret === null ? null : secretBox.open(row.sealed_secret),
    probe: false,
    event: { id: row.event_id, type: row.type, jobId: row.job_id, body: bodyOf(row) },
  }));
}

/** An event's body from its columns. */
export function bodyOf(row: Pick<TaskRow, "body_json" | "blob_key" | "blob_size">): EventBody {
  return row.blob_key === null
    ? { in: "message", json: row.body_json ?? "" }
    : { in: "blob", blob: { key: row.blob_key, size: Number(row.blob_size) } };
}
