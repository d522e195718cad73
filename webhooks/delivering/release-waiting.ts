import type { Transaction } from "../../platform/database.ts";
import { noLongerWaiting } from "./waiting.ts";

/**
 * Makes due what waits behind nothing any more, in the transaction that changed what it waited for.
 * @returns the deliveries that are due now
 */
export async function releaseWaiting(
  trx: Transaction,
  orderKeys: readonly string[],
  now: Date,
): Promise<string[]> {
  const ids = await noLongerWaiting(trx, orderKeys, now);
  if (ids.length > 0) await trx("deliveries").whereIn("id", ids).update({ due_at: now });
  return ids;
}
