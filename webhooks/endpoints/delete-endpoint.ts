import type { Database } from "../../platform/database.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import { ownWebhook } from "./endpoint-rows.ts";

type Deps = { db: Database; tellChanged: (endpointId: string) => void };

/** Deletes a webhook; what was on its way to it is not sent any more. Its log goes with the events, after 30 days. */
export function createDeleteEndpoint({ db, tellChanged }: Deps) {
  return async function deleteEndpoint(whose: { accountId: string; webhookId: string }) {
    const { webhookId } = whose;
    await againOnConflict(db, async (trx) => {
      await ownWebhook(trx, whose, "lock");
      await trx("endpoints").where({ id: webhookId }).del();
      await trx("deliveries")
        .where({ endpoint_id: webhookId })
        .whereIn("status", ["pending", "held"])
        .update({ status: "failed", due_at: null, lease_by: null, order_key: null });
    });
    tellChanged(webhookId);
    return { id: webhookId, deleted: true as const };
  };
}
