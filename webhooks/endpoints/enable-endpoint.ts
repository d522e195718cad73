import type { Database } from "../../platform/database.ts";
import type { EndpointRow } from "./endpoint-rows.ts";

/** Switches an endpoint on again; `resumeHeld` then lets its deliveries go. False when there was nothing to do. */
export async function enableEndpoint(db: Database, id: string): Promise<boolean> {
  const changed = await db<EndpointRow>("endpoints")
    .where({ id })
    .andWhere((either) => either.where("status", "disabled").orWhereNotNull("failing_since"))
    .update({
      status: "enabled",
      disabled_reason: null,
      failing_since: null,
      probe_at: null,
      notice_due_at: null,
    });
  return changed === 1;
}

/**
 * A receiver has answered: its failures are over. Only what failures have disabled is enabled by it; an owner's word
 * and a 410 stand.
 */
export async function noteRecovery(db: Database, id: string): Promise<boolean> {
  const row = await db<EndpointRow>("endpoints").where({ id }).first();
  const standing = row?.status === "disabled" && row.disabled_reason !== "failures";
  return row === undefined || standing ? false : enableEndpoint(db, id);
}
