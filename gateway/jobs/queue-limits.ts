import { Failure } from "../../platform/contracts/failures.ts";
import type { Database } from "../../platform/database.ts";
import { queueLengths } from "./job-rows.ts";

/** How many jobs may wait in the queue. Work is refused early rather than promised and not done. */
export type QueueLimits = { ofAll: number; ofAccount: number };

const retryAfterSeconds = 15;

/** @throws Failure overloaded */
export async function refuseWhenFull(db: Database, accountId: string, limits: QueueLimits): Promise<void> {
  const waiting = await queueLengths(db, accountId, limits.ofAll);
  if (waiting.ofAccount >= limits.ofAccount) {
    const message = `${waiting.ofAccount} of your jobs are waiting already. Try again when some have ended.`;
    throw new Failure("overloaded", message, { retryAfterSeconds });
  }
  if (waiting.ofAll >= limits.ofAll) {
    throw new Failure("overloaded", "Too many jobs are waiting. Try again shortly.", { retryAfterSeconds });
  }
}
