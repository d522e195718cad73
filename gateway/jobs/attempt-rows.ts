import type { BlobRef } from "../../platform/contracts/blob.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";
import type { Transaction } from "../../platform/database.ts";
import type { Job } from "./job.ts";
import type { JobEnd } from "./job-event.ts";
import {
  type Attempt,
  type Executor,
  type JobRow,
  jobTable,
  type MovingJob,
  movingJobOf,
} from "./job-table.ts";

/**
 * Makes the job the worker's own: the one UPDATE that decides between workers, and whose number fences off all
 * earlier attempts. A job of whose worker nothing was heard since `silentSince` is taken over, as a lost attempt; a
 * worker that asks again for what it has never heard that it got it.
 * @returns the attempt's number, or null when the job cannot be had
 */
export async function claim(
  db: Executor,
  { id, worker, now, silentSince, maxLost }: Claim,
): Promise<number | null> {
  const [made] = await db.raw(
    `UPDATE ${jobTable}
     SET lost_attempts = lost_attempts + (status = 'processing' AND worker <> ?), status = 'processing',
         attempt = LAST_INSERT_ID(attempt + 1), worker = ?, heartbeat_at = ?, pages_done = NULL, pages_total = NULL
     WHERE id = ?
       AND (status = 'queued'
         OR (status = 'processing' AND (worker = ? OR (heartbeat_at < ? AND lost_attempts + 1 < ?))))`,
    [worker, worker, now, id, worker, silentSince, maxLost],
  );
  return made.affectedRows === 1 ? made.insertId : null;
}
type Claim = { id: string; worker: string; now: Date; silentSince: Date; maxLost: number };

/** What the job asks for; it never changes. */
export async function taskOf(db: Executor, id: string) {
  const row = await db<JobRow>(jobTable).where({ id }).first("account_id", "task", "sources", "status");
  if (row === undefined) return null;
  return {
    accountId: row.account_id,
    status: row.status,
    task: JSON.parse(row.task) as PdfTask,
    sources: JSON.parse(row.sources) as BlobRef[],
  };
}

/** Notes that the attempt lives. False when it is superseded, cancelled or settled. */
export async function beat(db: Executor, of: Attempt, progress: Job["progress"], now: Date) {
  const changed = await attemptUnderWay(db, of).update({
    heartbeat_at: now,
    ...(progress === null ? {} : { pages_done: progress.done, pages_total: progress.total }),
  });
  return changed === 1;
}

type Ending = JobEnd & { lost: boolean; now: Date; keptMs: number };

/** Ends the attempt's job, once. False when the attempt may no longer do so. */
export async function markEnded(trx: Transaction, of: Attempt, end: Ending): Promise<boolean> {
  const changed = await attemptUnderWay(trx, of).update({
    ...("result" in end
      ? { status: "completed", result: JSON.stringify(end.result) }
      : { status: "failed", failure: JSON.stringify(end.failure) }),
    ...(end.lost ? { lost_attempts: trx.raw("lost_attempts + 1") } : {}),
    completed_at: end.now,
    expires_at: new Date(end.now.getTime() + end.keptMs),
  });
  return changed === 1;
}

/** Puts the attempt's job back in the queue. `silentSince`: only if nothing has been heard of it since. */
export async function markQueued(
  db: Executor,
  of: Attempt,
  { lost, now, silentSince }: { lost: boolean; now: Date; silentSince?: Date },
): Promise<boolean> {
  const row = attemptUnderWay(db, of);
  if (silentSince !== undefined) row.andWhere("heartbeat_at", "<", silentSince);
  const changed = await row.update({
    status: "queued",
    ...(lost ? { lost_attempts: db.raw("lost_attempts + 1") } : {}),
    queued_at: now,
    message_id: null,
    message_sequence: null,
    pages_done: null,
    pages_total: null,
  });
  return changed === 1;
}

/** The status tells that it runs, the number that it is this attempt which does. */
function attemptUnderWay(db: Executor, { jobId, attempt }: Attempt) {
  return db<JobRow>(jobTable).where({ id: jobId, status: "processing", attempt });
}

export async function findMovingJob(db: Executor, id: string): Promise<MovingJob | null> {
  const row = await db<JobRow>(jobTable).where({ id }).first();
  return row === undefined ? null : movingJobOf(row);
}

/** Jobs whose worker has not been heard of since. */
export async function silentJobs(db: Executor, since: Date, limit: number): Promise<MovingJob[]> {
  const rows = await db<JobRow>(jobTable)
    .where({ status: "processing" })
    .andWhere("heartbeat_at", "<", since)
    .limit(limit);
  return rows.map(movingJobOf);
}

export type QueuedMessage = MovingJob & { message: { sequence: number; messageId: string } | null };

/** Jobs that have been in the queue since before `since`, by id from after `afterId`. */
export async function queuedJobs(db: Executor, since: Date, afterId: string, limit: number) {
  const rows = await db<JobRow>(jobTable)
    .where({ status: "queued" })
    .andWhere("queued_at", "<", since)
    .andWhere("id", ">", afterId)
    .orderBy("id")
    .limit(limit);
  return rows.map((row): QueuedMessage => {
    const { message_id: messageId, message_sequence: sequence } = row;
    return {
      ...movingJobOf(row),
      message: messageId === null || sequence === null ? null : { messageId, sequence },
    };
  });
}

/** Those of the jobs that are in the queue. */
export async function stillQueued(db: Executor, ids: readonly string[]): Promise<string[]> {
  return db<JobRow>(jobTable).where({ status: "queued" }).whereIn("id", ids).pluck("id");
}

/** Where the job's message lies, if it is still queued. */
export async function noteMessage(
  db: Executor,
  id: string,
  { messageId, sequence }: { messageId: string; sequence: number },
): Promise<void> {
  await db(jobTable)
    .where({ id, status: "queued" })
    .update({ message_id: messageId, message_sequence: sequence });
}
