import { Failure } from "../../platform/contracts/failures.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import { deliveriesBy } from "../delivering/deliveries-by.ts";
import { type EndpointRow, ownWebhook } from "../endpoints/endpoint-rows.ts";
import { readDelivery } from "./read-deliveries.ts";

const batchSize = 500;

type Deps = { db: Database; wake: () => void; now: () => Date };

/** Sends one delivery again at once, whatever became of it, with a whole schedule before it. */
export function createRetryDelivery({ db, wake, now }: Deps) {
  return async function retryDelivery({ accountId, deliveryId }: { accountId: string; deliveryId: string }) {
    const endpoint: EndpointRow | undefined = await db("deliveries")
      .join("endpoints", "endpoints.id", "deliveries.endpoint_id")
      .where({ "deliveries.id": deliveryId, "endpoints.account_id": accountId })
      .first("endpoints.*");
    if (endpoint === undefined) throw new Failure("not_found", `There is no delivery ${deliveryId}.`);
    mustBeEnabled(endpoint);
    await again(db, [deliveryId], now());
    wake();
    return readDelivery(db, deliveryId);
  };
}

type RetryFailed = { accountId: string; webhookId: string; body: { since: string } };

/** Sends every delivery of a webhook again that has failed for good and whose event was recorded since a time. */
export function createRetryFailed({ db, wake, now }: Deps) {
  return async function retryFailed({ accountId, webhookId, body }: RetryFailed) {
    mustBeEnabled(await ownWebhook(db, { accountId, webhookId }));
    let retried = 0;
    for (let some = batchSize; some === batchSize; retried += some) {
      const ids: string[] = await db("deliveries")
        .where({ status: "failed", endpoint_id: webhookId })
        .andWhere("created_at", ">=", new Date(body.since))
        .orderBy(["due_at", "id"])
        .limit(batchSize)
        .pluck("id");
      some = await again(db, ids, now());
    }
    wake();
    return { id: webhookId, retried };
  };
}

function mustBeEnabled({ id, status }: Pick<EndpointRow, "id" | "status">): void {
  if (status === "enabled") return;
  throw new Failure("invalid_state", `Webhook ${id} is disabled. Enable it: what was held is sent then.`);
}

/** One that is being tried just now is left alone: its attempt decides. */
async function again(db: Database | Transaction, ids: readonly string[], now: Date): Promise<number> {
  return deliveriesBy(db, "PRIMARY")
    .whereIn("id", ids)
    .whereNull("lease_by")
    .update({
      status: "pending",
      due_at: now,
      delivered_at: null,
      earlier_tries: db.ref("tries"),
    });
}
