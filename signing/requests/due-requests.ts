import type { Database } from "../../platform/database.ts";
import { requestTable } from "./request-rows.ts";

/** Requests whose time is over, the longest overdue first; of one account, or of all. */
export async function lapsedRequests(
  db: Database,
  now: Date,
  limit: number,
  accountId?: string,
): Promise<string[]> {
  const query = db(requestTable).where("lapses_at", "<=", now).orderBy("lapses_at").limit(limit);
  return (accountId === undefined ? query : query.where({ account_id: accountId })).pluck("id");
}

/** Requests that wait for their seal and are in nobody's hands. */
export async function requestsToSeal(db: Database, now: Date, limit: number): Promise<string[]> {
  return db(requestTable).where("seal_due_at", "<=", now).orderBy("seal_due_at").limit(limit).pluck("id");
}

/** Takes a request in hand until `until`, unless another process has it. */
export async function claimSeal(db: Database, id: string, now: Date, until: Date): Promise<boolean> {
  const claimed = await db(requestTable)
    .where({ id })
    .where("seal_due_at", "<=", now)
    .update({ seal_due_at: until });
  return claimed === 1;
}

/** Moves the time of the next try; does nothing once the request is sealed. */
export async function postponeSeal(db: Database, id: string, until: Date, failed: 0 | 1): Promise<void> {
  await db(requestTable)
    .where({ id })
    .whereNotNull("seal_due_at")
    .update({ seal_due_at: until, seal_attempts: db.raw("seal_attempts + ?", [failed]) });
}

/** Which of these ids are requests. */
export async function existingRequests(db: Database, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await db(requestTable).whereIn("id", ids).pluck("id"));
}
