import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "../../platform/bus.ts";
import { isFinished } from "../../platform/contracts/job-state.ts";
import { jobDone } from "../../platform/contracts/pdf-job.ts";
import type { Database } from "../../platform/database.ts";
import type { Job } from "./job.ts";
import { findJob } from "./job-rows.ts";

/** A wake-up is sent at most once; one that was lost costs no more than this. */
const readEveryMs = 3000;

export type EndWait = {
  /** The job once it has ended, or as it is when the time is over or the signal aborted. Null when it was erased. */
  wait: (waitMs: number, signal: AbortSignal) => Promise<Job | null>;
  stop: () => void;
};

/** Listens for a job's end. Begin before the job is queued, so that no end can come too early to be heard. */
export function expectEnd(db: Database, bus: Bus, jobId: string): EndWait {
  let wake = new AbortController();
  const stop = bus.listen(jobDone.subject(jobId), jobDone.message, () => wake.abort());

  async function sleep(ms: number, signal: AbortSignal): Promise<void> {
    const interrupt = AbortSignal.any([signal, wake.signal]);
    await delay(ms, undefined, { signal: interrupt }).catch(() => undefined);
    if (wake.signal.aborted) wake = new AbortController();
  }

  async function wait(waitMs: number, signal: AbortSignal): Promise<Job | null> {
    const until = performance.now() + waitMs;
    for (;;) {
      await sleep(Math.min(until - performance.now(), readEveryMs), signal);
      const over = signal.aborted || performance.now() >= until;
      try {
        const job = await findJob(db, jobId);
        if (job === null || over || isFinished(job.status)) return job;
      } catch (error) {
        // The database may come back before the wait is over.
        if (over) throw error;
      }
    }
  }
  return { wait, stop };
}
