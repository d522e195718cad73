import type { Transaction } from "../../platform/database.ts";
import { deliveriesBy } from "./deliveries-by.ts";

/** A later event of a signature request waits for the earlier one's first try, but no longer than this. */
export const longestWaitMs = 30_000;

type FirstTry = {
  id: string;
  endpoint_id: string;
  order_key: string;
  order_sequence: number;
  due_at: Date | null;
};

/**
 * Of these signature requests' deliveries whose first try is still to come, those that wait although nothing is
 * before them any more. Reads under lock: whoever settles the earlier one, or records it, looks here after it.
 */
export async function noLongerWaiting(
  trx: Transaction,
  orderKeys: readonly string[],
  now: Date,
): Promise<string[]> {
  if (orderKeys.length === 0) return [];
  const firstTries: FirstTry[] = await deliveriesBy(trx, "first_tries")
    .whereIn("order_key", orderKeys)
    .andWhere("status", "pending")
    .select("id", "endpoint_id", "order_key", "order_sequence", "due_at")
    .orderBy("order_sequence")
    .forUpdate();
  const waiting = firstTries.filter(({ due_at }) => due_at !== null && due_at > now);
  if (waiting.length === 0) return [];
  const recorded = await recordedSequences(trx, orderKeys);
  return waiting.filter((delivery) => !isBehind(delivery, firstTries, recorded)).map(({ id }) => id);
}

/** The place of each recorded event in its signature request, as `key sequence`. */
export async function recordedSequences(
  trx: Transaction,
  orderKeys: readonly string[],
): Promise<Set<string>> {
  const rows = await trx("events").whereIn("order_key", orderKeys).select("order_key", "order_sequence");
  return new Set(rows.map((row) => place(row.order_key, row.order_sequence)));
}

/** Whether an earlier event is not here yet, or has not been tried at this endpoint. */
export function isBehind(
  delivery: Pick<FirstTry, "endpoint_id" | "order_key" | "order_sequence">,
  firstTries: readonly Pick<FirstTry, "endpoint_id" | "order_key" | "order_sequence">[],
  recorded: ReadonlySet<string>,
): boolean {
  const { endpoint_id, order_key, order_sequence } = delivery;
  for (let sequence = 1; sequence < order_sequence; sequence++) {
    if (!recorded.has(place(order_key, sequence))) return true;
  }
  return firstTries.some(
    (other) =>
      other.endpoint_id === endpoint_id &&
      other.order_key === order_key &&
      other.order_sequence < order_sequence,
  );
}

function place(orderKey: string, sequence: number): string {
  return `${orderKey} ${sequence}`;
}
