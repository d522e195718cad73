import type { JobsQuery } from "../../platform/contracts/http-api/jobs.ts";
import { statusesBefore } from "../../platform/contracts/job-state.ts";
import type { Job, NewJob } from "./job.ts";
import { type Executor, type JobRow, jobOf, jobTable } from "./job-table.ts";

export async function insertJob(db: Executor, job: NewJob): Promise<void> {
  await db(jobTable).insert({
    id: job.id,
    account_id: job.accountId,
    operation: job.task.operation,
    status: "queued",
    task: JSON.stringify(job.task),
    sources: JSON.stringify(job.sources),
    call_address: job.callAddress === null ? null : JSON.stringify(job.callAddress),
    trail: JSON.stringify(job.trail),
    created_at: job.createdAt,
    queued_at: job.createdAt,
  });
}

/** Queued jobs, of everyone and of one account. Counts no further than `limit`. */
export async function queueLengths(db: Executor, accountId: string, limit: number) {
  const queued = () => db(jobTable).where({ status: "queued" }).select(db.raw("1")).limit(limit);
  const [row] = await db.select(
    db.count("*").from(queued().as("everyone")).as("ofAll"),
    db
      .count("*")
      .from(queued().andWhere({ account_id: accountId }).as("own"))
      .as("ofAccount"),
  );
  return { ofAll: Number(row.ofAll), ofAccount: Number(row.ofAccount) };
}

export async function countQueued(db: Executor): Promise<number> {
  const row = await db(jobTable).where({ status: "queued" }).count({ total: "*" }).first();
  return Number(row?.total ?? 0);
}

export async function findJob(db: Executor, id: string): Promise<Job | null> {
  const row = await db<JobRow>(jobTable).where({ id }).first();
  return row === undefined ? null : jobOf(row);
}

/** Unfinished and finished jobs alike, newest first, without those past their time. */
export async function listJobs(db: Executor, accountId: string, query: JobsQuery, now: Date) {
  const { status, operation, page, per_page } = query;
  const matching = () =>
    db<JobRow>(jobTable)
      .where({
        account_id: accountId,
        ...(status === undefined ? {} : { status }),
        ...(operation === undefined ? {} : { operation }),
      })
      .andWhere((either) => either.whereNull("expires_at").orWhere("expires_at", ">", now));
  const [rows, count] = await Promise.all([
    matching()
      .orderBy("id", "desc")
      .limit(per_page)
      .offset((page - 1) * per_page),
    matching().count({ total: "*" }).first(),
  ]);
  return { jobs: rows.map(jobOf), total: Number(count?.total ?? 0) };
}

/** Cancels a job that has not ended. False when it had. */
export async function cancelJob(db: Executor, id: string, now: Date, expiresAt: Date): Promise<boolean> {
  const changed = await db(jobTable)
    .where({ id })
    .whereIn("status", statusesBefore("cancelled"))
    .update({ status: "cancelled", completed_at: now, expires_at: expiresAt });
  return changed === 1;
}

/** Ids of jobs past their time. */
export async function expiredJobs(db: Executor, now: Date, limit: number): Promise<string[]> {
  return db<JobRow>(jobTable).where("expires_at", "<=", now).orderBy("expires_at").limit(limit).pluck("id");
}

export async function removeJob(db: Executor, id: string): Promise<void> {
  await db(jobTable).where({ id }).del();
}

export async function jobExists(db: Executor, id: string): Promise<boolean> {
  return (await db(jobTable).where({ id }).first("id")) !== undefined;
}
