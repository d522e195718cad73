import type { Database } from "../../platform/database.ts";
import type { KnownEndpoints } from "../endpoints/known-endpoints.ts";
import type { Task } from "./task.ts";

/** Puts a delivery back that may not be sent now: held for a disabled endpoint, ended for a deleted one. */
export function createLetGo(db: Database, endpoints: KnownEndpoints, processId: string) {
  return async function letGo({ deliveryId, endpointId }: Task): Promise<void> {
    const status = (await endpoints.get(endpointId)) === null ? "failed" : "held";
    await db("deliveries")
      .where({ id: deliveryId, status: "pending", lease_by: processId })
      .update({ status, due_at: null, lease_by: null });
  };
}
