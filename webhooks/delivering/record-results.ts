import type { DeliveryStatus } from "../../platform/contracts/webhook-delivery.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import type { Attempt } from "./deliver.ts";
import { deliveriesBy } from "./deliveries-by.ts";
import { releaseWaiting } from "./release-waiting.ts";
import { type Hand, takeInHand } from "./take-in-hand.ts";
import type { Task } from "./task.ts";
import type { Verdict } from "./verdict.ts";

export type Result = { task: Task; attempt: Attempt; verdict: Verdict };

type Deps = Hand & { db: Database; now: () => Date };

/**
 * Writes what came of attempts, in one transaction. A success counts whoever made it; any other result only if the
 * delivery is as the attempt found it, so an attempt that was overtaken changes nothing.
 * @returns the later events that waited for these first tries
 */
export function createRecordResults(deps: Deps) {
  return (results: readonly Result[]): Promise<Task[]> =>
    againOnConflict(deps.db, async (trx) => {
      const now = deps.now();
      await insertAttempts(trx, results);
      await settleDelivered(trx, results, now);
      for (const status of ["pending", "held", "failed"] as const) await settleOthers(trx, results, status);
      const keys = results.flatMap(({ task }) => (task.orderKey === null ? [] : [task.orderKey]));
      return takeInHand(trx, deps, await releaseWaiting(trx, [...new Set(keys)], now));
    });
}

async function insertAttempts(trx: Transaction, results: readonly Result[]): Promise<void> {
  await trx("attempts").insert(
    results.map(({ task, attempt }) => ({
      delivery_id: task.deliveryId,
      number: task.tries + 1,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      outcome: attempt.outcome,
      status_code: attempt.statusCode,
      response_body: attempt.responseBody,
    })),
  );
}

async function settleDelivered(trx: Transaction, results: readonly Result[], now: Date): Promise<void> {
  const ids = results.flatMap(({ task, verdict }) =>
    verdict.status === "delivered" ? [task.deliveryId] : [],
  );
  if (ids.length === 0) return;
  await deliveriesBy(trx, "PRIMARY")
    .whereIn("id", ids)
    .whereNot("status", "delivered")
    .update({
      ...{ status: "delivered", delivered_at: now, due_at: null, lease_by: null, order_key: null },
      tries: trx.raw("tries + 1"),
    });
}

async function settleOthers(
  trx: Transaction,
  results: readonly Result[],
  status: Exclude<DeliveryStatus, "delivered">,
): Promise<void> {
  const settled = results.filter(({ verdict }) => verdict.status === status);
  if (settled.length === 0) return;
  const ids = settled.map(({ task }) => task.deliveryId);
  const tries = settled.flatMap(({ task }) => [task.deliveryId, task.tries]);
  const dueTimes = settled.flatMap(({ task, verdict: { dueAt } }) => [
    task.deliveryId,
    dueAt === null ? null : new Date(dueAt),
  ]);
  const byId = `CASE id ${"WHEN ? THEN ? ".repeat(settled.length)}END`;
  await deliveriesBy(trx, "PRIMARY")
    // Not as pairs of id and tries: the server would read the whole table for them, and lock it.
    .whereIn("id", ids)
    .andWhere("tries", trx.raw(byId, tries))
    .andWhere("status", "pending")
    .update({
      ...{ status, lease_by: null, order_key: null },
      due_at: trx.raw(byId, dueTimes),
      tries: trx.raw("tries + 1"),
    });
}
