import type { BlobStore } from "../platform/blob-store.ts";
import type { Bus } from "../platform/bus.ts";
import { asFailure } from "../platform/contracts/failures.ts";
import { claimJob, type PdfOutcome, releaseJob } from "../platform/contracts/pdf-job.ts";
import type { Logger } from "../platform/log.ts";
import { type Attempt, createAttempt, isStopped } from "./attempt.ts";
import type { AttemptMetrics } from "./attempt-metrics.ts";
import { folderNameOf } from "./give-up-abandoned.ts";
import type { OfferedJob } from "./job-queues.ts";
import { keepAlive } from "./keep-alive.ts";
import type { PdfThreads } from "./pdf-threads.ts";
import { type ClaimedJob, performTask } from "./perform-task.ts";
import { settle } from "./settle.ts";
import type { Leave, Slots } from "./slots.ts";
import { storeResult } from "./store-result.ts";
import { timeBound } from "./time-bound.ts";
import type { WorkFolder } from "./work-folder.ts";

/** When nobody answers the claim, and when another attempt seems to be alive. */
const unansweredPauseMs = 1000;
const busyPauseMs = 10_000;
const claimWithinMs = 3000;

type Deps = {
  bus: Bus;
  blobs: BlobStore;
  threads: PdfThreads;
  slots: Slots;
  slotCount: number;
  folder: WorkFolder;
  worker: string;
  metrics: AttemptMetrics;
  log: Logger;
  /** Aborted when the service stops and waits no longer for the jobs under way. */
  giveUp: AbortSignal;
  /** The attempts under way, by job: whoever cancels a job finds it here. */
  attempts: Map<string, Attempt>;
};

/**
 * Runs a job that the queue offered: claimed first, so that no two workers do it and a settled one is not done again;
 * acked only once its outcome is stored, so that a crash repeats it and never loses it. Never rejects.
 */
export function createRunJob(deps: Deps): (offered: OfferedJob, leave: Leave) => Promise<void> {
  const { bus, worker, log } = deps;

  const underWay = new Set<string>();

  async function claimAndRun(taken: OfferedJob["taken"], leave: Leave): Promise<void> {
    const { message, trail } = taken;
    const question = { jobId: message.jobId, worker };
    const claimed = await bus.ask(claimJob, question, { trail, timeoutMs: claimWithinMs });
    if (claimed.granted) await runAttempt(deps, taken, claimed, leave);
    else if (claimed.why === "busy") taken.later(busyPauseMs);
    else taken.ack();
  }

  return async function runJob({ taken }, leave) {
    const { jobId } = taken.message;
    // The gateway would take a second claim of ours for the first one asked again.
    if (underWay.has(jobId)) {
      leave();
      return taken.later(busyPauseMs);
    }
    underWay.add(jobId);
    try {
      await claimAndRun(taken, leave);
    } catch (err) {
      log.warn({ ...taken.trail, err, jobId }, "job left for later");
      taken.later(unansweredPauseMs);
    } finally {
      underWay.delete(jobId);
      leave();
    }
  };
}

async function runAttempt(
  deps: Deps,
  taken: OfferedJob["taken"],
  job: ClaimedJob,
  firstSlot: Leave,
): Promise<void> {
  const { bus, slots, metrics, log, attempts, giveUp } = deps;
  const { jobId, attempt: number } = job;
  const bytes = job.sources.reduce((sum, { size }) => sum + size, 0);
  const boundMs = timeBound(job.task.operation, bytes);
  const attempt = createAttempt({ jobId, number, boundMs, slots, firstSlot });
  attempts.set(jobId, attempt);
  metrics.attemptBegun();
  const stopKeepingAlive = keepAlive(bus, taken, attempt, log);
  const startedAt = performance.now();
  try {
    const outcome = await outcomeOf(deps, attempt, job);
    if (outcome === "stopping") await bus.ask(releaseJob, { jobId, attempt: number }, { trail: taken.trail });
    else if (typeof outcome === "object")
      await settle(bus, attempt, outcome, { trail: taken.trail, log, signal: giveUp });
    taken.ack();
    const durationMs = Math.round(performance.now() - startedAt);
    const ended = typeof outcome === "string" ? outcome : outcome.ok ? "completed" : outcome.failure.code;
    metrics.attemptEnded(job.task.operation, ended, durationMs);
    log.info(
      { ...taken.trail, jobId, attempt: number, operation: job.task.operation, durationMs, ended },
      "attempt ended",
    );
  } finally {
    attempts.delete(jobId);
    await stopKeepingAlive();
  }
}

async function outcomeOf(deps: Deps, attempt: Attempt, job: ClaimedJob) {
  try {
    return await deps.folder.lend(folderNameOf(job), async (workDir): Promise<PdfOutcome> => {
      const result = await performTask(deps, attempt, job, workDir);
      return storeResult(deps.blobs, job.jobId, result);
    });
  } catch (thrown) {
    if (isStopped(thrown)) return thrown;
    const failure = asFailure(thrown);
    const { code, message, details, cause } = failure;
    if (code === "internal_error")
      deps.log.error({ jobId: job.jobId, err: cause ?? failure }, "attempt failed");
    return {
      ok: false,
      failure: { code, message, ...(details === undefined ? {} : { details: [...details] }) },
    } as const;
  }
}
