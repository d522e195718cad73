import { Failure } from "../../platform/contracts/failures.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import type { Hand } from "../delivering/take-in-hand.ts";
import { readTasks, type Task } from "../delivering/task.ts";
import { type EndpointRow, ownWebhook } from "../endpoints/endpoint-rows.ts";
import { readDelivery } from "../log/read-deliveries.ts";

type Deps = {
  db: Database;
  hand: Hand;
  /** Resolves when what came of it is written. */
  attemptNow: (task: Task) => Promise<void>;
  now: () => Date;
};

/** Sends one `webhook.test` event and answers with what came of it. Also to a disabled webhook, to see if it works. */
export function createSendTest({ db, hand, attemptNow, now }: Deps) {
  return async function sendTest(whose: { accountId: string; webhookId: string }) {
    const at = now();
    const task = await againOnConflict(db, async (trx) => {
      const endpoint = await ownWebhook(trx, whose, "lock");
      const deliveryId = await recordTest(trx, { endpoint, processId: hand.processId, at });
      const [recorded] = await readTasks(trx, hand.secretBox, [deliveryId]);
      if (recorded === undefined) throw new Failure("internal_error", "The test could not be recorded.");
      return recorded;
    });
    await attemptNow(task);
    return readDelivery(db, task.deliveryId);
  };
}

type Test = { endpoint: EndpointRow; processId: string; at: Date };

async function recordTest(trx: Transaction, { endpoint, processId, at }: Test): Promise<string> {
  const sequence = endpoint.last_sequence + 1;
  const [eventId, deliveryId] = [newId("event"), newId("delivery")];
  const event = "webhook.test";
  await trx("events").insert({
    ...{ id: eventId, account_id: endpoint.account_id, type: event },
    body_json: JSON.stringify({ event, data: { webhook_id: endpoint.id }, timestamp: at.toISOString() }),
    ...{ occurred_at: at, recorded_at: at },
  });
  await trx("deliveries").insert({
    ...{ id: deliveryId, endpoint_id: endpoint.id, event_id: eventId, sequence },
    ...{ status: "pending", lease_by: processId, created_at: at },
  });
  await trx("endpoints").where({ id: endpoint.id }).update({ last_sequence: sequence });
  return deliveryId;
}
