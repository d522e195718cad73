import type { Database, Transaction } from "../../platform/database.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import type { EndpointRow } from "./endpoint-rows.ts";

export const probeEveryMs = 24 * 3600 * 1000;

/** Switches an enabled endpoint off and holds what was on its way. False when it was not enabled. */
export function disableEndpoint(
  db: Database,
  id: string,
  reason: "user" | "gone" | "failures",
  now: Date,
): Promise<boolean> {
  return againOnConflict(db, async (trx) => {
    const row = await trx<EndpointRow>("endpoints").where({ id, status: "enabled" }).forUpdate().first();
    if (row === undefined) return false;
    const failed = reason === "failures";
    await trx<EndpointRow>("endpoints")
      .where({ id })
      .update({
        status: "disabled",
        disabled_reason: reason,
        probe_at: failed ? new Date(now.getTime() + probeEveryMs) : null,
        notice_due_at: failed ? now : null,
      });
    await hold(trx, id, "pending");
    // What ran out of tries in the same outage is delivered too, once the endpoint lives again.
    if (failed && row.failing_since !== null) await hold(trx, id, "failed", row.failing_since);
    return true;
  });
}

async function hold(trx: Transaction, id: string, status: string, since?: Date): Promise<void> {
  await trx.raw(
    `UPDATE deliveries AS d JOIN events AS e ON e.id = d.event_id
     SET d.status = 'held', d.due_at = NULL, d.lease_by = NULL
     WHERE d.endpoint_id = ? AND d.status = ? AND d.created_at >= ? AND e.type <> 'webhook.test'`,
    [id, status, since ?? new Date(0)],
  );
}
