import { Failure, type FailureData } from "../../platform/contracts/failures.ts";
import type { JobStatus } from "../../platform/contracts/job-state.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import type { Job, NewJob, StoredResult } from "./job.ts";

export const jobTable = "jobs";

export type Executor = Database | Transaction;

/** What a row of a job holds; what each column means stands in the migration. */
export type JobRow = {
  id: string;
  account_id: string;
  operation: PdfTask["operation"];
  status: JobStatus;
  task: string;
  sources: string;
  call_address: string | null;
  trail: string;
  attempt: number;
  lost_attempts: number;
  heartbeat_at: Date | null;
  pages_done: number | null;
  pages_total: number | null;
  message_id: string | null;
  message_sequence: number | null;
  result: string | null;
  failure: string | null;
  created_at: Date;
  queued_at: Date;
  completed_at: Date | null;
  expires_at: Date | null;
};

/** One attempt of a job. Its number is a fence: once another attempt has been claimed, this one changes nothing. */
export type Attempt = { jobId: string; attempt: number };

/** What the gateway needs to know of a job that it moves on. */
export type MovingJob = Attempt & {
  accountId: string;
  operation: PdfTask["operation"];
  status: JobStatus;
  lostAttempts: number;
  callAddress: NewJob["callAddress"];
  trail: Trail;
};

export function jobOf(row: JobRow): Job {
  const failure = row.failure === null ? null : (JSON.parse(row.failure) as FailureData);
  const running = row.status === "processing" && row.pages_done !== null && row.pages_total !== null;
  return {
    id: row.id,
    accountId: row.account_id,
    operation: row.operation,
    status: row.status,
    progress: running ? { done: row.pages_done ?? 0, total: row.pages_total ?? 0 } : null,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    expiresAt: row.expires_at,
    result: row.result === null ? null : (JSON.parse(row.result) as StoredResult),
    failure:
      failure === null
        ? null
        : new Failure(
            failure.code,
            failure.message,
            failure.details === undefined ? {} : { details: failure.details },
          ),
  };
}

export function movingJobOf(row: JobRow): MovingJob {
  return {
    jobId: row.id,
    attempt: row.attempt,
    accountId: row.account_id,
    operation: row.operation,
    status: row.status,
    lostAttempts: row.lost_attempts,
    callAddress: row.call_address === null ? null : JSON.parse(row.call_address),
    trail: JSON.parse(row.trail) as Trail,
  };
}
