import type { Bus } from "../../platform/bus.ts";
import { operations } from "../../platform/contracts/pdf-job.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { jobsConsumer } from "../../platform/streams.ts";
import { afterAttempt } from "./after-attempt.ts";
import { silenceMs } from "./answer-workers.ts";
import { markQueued, type QueuedMessage, queuedJobs, silentJobs } from "./attempt-rows.ts";
import type { EndJob } from "./end-job.ts";
import type { EnqueueJob } from "./enqueue-job.ts";
import type { JobMetrics } from "./job-metrics.ts";
import { countQueued } from "./job-rows.ts";

/** A job that is just being offered is left alone this long. */
const graceMs = 2000;
/** Once everything answers again, workers that live have said so within this time. */
const settleInMs = 10_000;
const batchSize = 500;

type Deps = {
  db: Database;
  bus: Bus;
  endJob: EndJob;
  enqueueJob: EnqueueJob;
  metrics: JobMetrics;
  log: Logger;
  now: () => Date;
};

/**
 * Finds the jobs that something forgot, and moves them on: those whose worker is silent go back to the queue, or have
 * failed when that happened too often; queued ones whose message is lost are offered again. Any number of gateways may
 * do so at once: every step is conditional.
 */
export function createSweepJobs(deps: Deps): () => Promise<void> {
  const { db, bus, enqueueJob, metrics, log, now } = deps;
  let wellSince: Date | null = null;
  let afterId = "";

  async function sweep(): Promise<void> {
    await bus.check();
    const time = now().getTime();
    wellSince ??= new Date(time);
    // After an outage every job looks silent, though its worker has been at it all the time.
    if (time - wellSince.getTime() >= settleInMs) await recoverSilent(deps, new Date(time - silenceMs));
    const queued = await queuedJobs(db, new Date(time - graceMs), afterId, batchSize);
    afterId = queued.length < batchSize ? "" : (queued.at(-1)?.jobId ?? "");
    const lost = await lostOf(bus, queued);
    for (const job of lost) await enqueueJob(job);
    metrics.offeredAgain.inc(lost.length);
    metrics.queued.set(await countQueued(db));
    if (lost.length > 0) log.warn({ count: lost.length }, "jobs offered to the workers again");
  }

  return () =>
    sweep().catch((error) => {
      wellSince = null;
      throw error;
    });
}

async function recoverSilent({ db, endJob, enqueueJob, log, now }: Deps, silentSince: Date): Promise<void> {
  for (const job of await silentJobs(db, silentSince, batchSize)) {
    log.warn({ ...job.trail, jobId: job.jobId, attempt: job.attempt }, "nothing heard of the worker");
    if (afterAttempt("internal_error", job.lostAttempts) === "fail") {
      const message = "The work was interrupted too often. Try again; if it goes on, tell us the job id.";
      await endJob(job, { failure: { code: "internal_error", message } }, { lost: true });
      continue;
    }
    if (await markQueued(db, job, { lost: true, now: now(), silentSince })) await enqueueJob(job);
  }
}

/** Those without a message, and those whose message their stream no longer holds. */
async function lostOf(bus: Bus, queued: readonly QueuedMessage[]): Promise<QueuedMessage[]> {
  const idle = await idleOperations(bus, queued);
  const lost: QueuedMessage[] = [];
  for (const job of queued) {
    const { message } = job;
    if (message === null || idle.has(job.operation) || !(await bus.holds("JOBS", message))) lost.push(job);
  }
  return lost;
}

/** Operations of whose messages none waits for a worker: a job queued for them has been forgotten, whatever the stream holds. */
async function idleOperations(bus: Bus, queued: readonly QueuedMessage[]): Promise<Set<string>> {
  const idle = new Set<string>();
  for (const operation of operations) {
    if (!queued.some((job) => job.operation === operation)) continue;
    if ((await bus.backlog(jobsConsumer(operation))) === 0) idle.add(operation);
  }
  return idle;
}
