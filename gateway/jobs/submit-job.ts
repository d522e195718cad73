import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import type { BlobRef } from "../../platform/contracts/blob.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { EnqueueJob } from "./enqueue-job.ts";
import { expectEnd } from "./expect-end.ts";
import type { CompletedJob, Job, NewJob } from "./job.ts";
import { insertJob } from "./job-rows.ts";
import { type QueueLimits, refuseWhenFull } from "./queue-limits.ts";

export type JobOrder = {
  /** Made by the caller, whose uploads already lie under it. */
  id: string;
  caller: { accountId: string };
  task: PdfTask;
  /** Blobs whose owner is the job. */
  sources: readonly BlobRef[];
  /** Where the call wants the job's event sent. */
  webhook: { url: string; secret: string | null } | null;
  respondAsync: boolean;
  trail: Trail;
  /** Aborted when the client has gone: the job goes on, the wait does not. */
  signal: AbortSignal;
};

/** `pending`: asynchronous, or not done within the time that a call waits. */
export type Submitted = { finished: CompletedJob } | { pending: Job };

export type SubmitJob = (order: JobOrder) => Promise<Submitted>;

type Deps = {
  db: Database;
  bus: Bus;
  blobs: BlobStore;
  enqueueJob: EnqueueJob;
  secretBox: SecretBox;
  log: Logger;
  now: () => Date;
  waitMs: number;
  limits: QueueLimits;
};

/**
 * Makes a job of a call, and waits for its end unless the call is asynchronous. Once it resolves, the job survives the
 * death of any process. It throws the job's own failure, `overloaded` when the queue is full, and `invalid_state` when
 * the job was cancelled while its call waited.
 */
export function createSubmitJob(deps: Deps): SubmitJob {
  const { db, bus, blobs, enqueueJob, secretBox, log, now, waitMs, limits } = deps;

  return async function submitJob({ id, caller, task, sources, webhook, respondAsync, trail, signal }) {
    await refuseWhenFull(db, caller.accountId, limits).catch(async (refusal) => {
      await blobs.removeOwner({ kind: "jobs", id });
      throw refusal;
    });
    const job: NewJob = {
      id,
      accountId: caller.accountId,
      task,
      sources,
      callAddress: webhook === null ? null : addressOf(webhook, secretBox),
      trail,
      createdAt: now(),
    };
    const end = respondAsync ? null : expectEnd(db, bus, id);
    try {
      await insertJob(db, job).catch(passOverRepeat);
      enqueueJob({ jobId: id, attempt: 0, operation: task.operation, trail }).catch((err) =>
        log.warn({ ...trail, err, jobId: id }, "job left for the sweep to enqueue"),
      );
      return end === null ? { pending: queuedJob(job) } : outcomeOf(await end.wait(waitMs, signal));
    } finally {
      end?.stop();
    }
  };
}

/** A call that was cut off and comes again under its idempotency key has the id that it had: the job is there already. */
function passOverRepeat(error: unknown): void {
  if ((error as { code?: string }).code !== "ER_DUP_ENTRY") throw error;
}

function addressOf({ url, secret }: { url: string; secret: string | null }, secretBox: SecretBox) {
  return { url, sealedSecret: secret === null ? null : secretBox.seal(secret) };
}

function queuedJob({ id, accountId, task, createdAt }: NewJob): Job {
  const open = { progress: null, completedAt: null, expiresAt: null, result: null, failure: null };
  return { id, accountId, operation: task.operation, status: "queued", createdAt, ...open };
}

function outcomeOf(job: Job | null): Submitted {
  if (job === null) throw new Failure("not_found", "The job was erased while this call waited for it.");
  if (job.failure !== null) throw job.failure;
  if (job.status === "cancelled")
    throw new Failure("invalid_state", "The job was cancelled while this call waited for it.");
  return job.result === null ? { pending: job } : { finished: { ...job, result: job.result } };
}
