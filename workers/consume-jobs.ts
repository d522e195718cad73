import { setTimeout as delay } from "node:timers/promises";
import type { OperationName } from "../platform/contracts/pdf-job.ts";
import type { Logger } from "../platform/log.ts";
import type { NextJob, OfferedJob } from "./next-job.ts";
import type { Leave, Slots } from "./slots.ts";

const pauseMs = 500;

type Deps = {
  operations: readonly OperationName[];
  slots: Slots;
  nextJob: NextJob;
  /** Runs a job to its end. It begins in the slot that was entered for it, and leaves it. Never rejects. */
  runJob: (offered: OfferedJob, leave: Leave) => Promise<void>;
  /** Jobs that were begun and leave their slot between pages. */
  mostOpenOcrJobs: number;
  log: Logger;
};

/**
 * Takes jobs from the queue, each only when there is a slot to begin it in. Returns how to stop: nothing more is taken
 * then, and it resolves when every job under way has ended.
 */
export function consumeJobs(deps: Deps): () => Promise<void> {
  const { operations, slots, nextJob, runJob, mostOpenOcrJobs, log } = deps;
  const stopping = new AbortController();
  const underWay = new Map<Promise<void>, OperationName>();
  let jobEnded = new AbortController();

  function wanted(): readonly OperationName[] {
    const openOcrJobs = [...underWay.values()].filter((operation) => operation === "ocr").length;
    return openOcrJobs < mostOpenOcrJobs ? operations : operations.filter((name) => name !== "ocr");
  }

  function begin(offered: OfferedJob, leave: Leave): void {
    const job = runJob(offered, leave).finally(() => {
      underWay.delete(job);
      // What may be taken now may be more than what is being waited for.
      jobEnded.abort();
      jobEnded = new AbortController();
    });
    underWay.set(job, offered.operation);
  }

  async function takeNext(): Promise<void> {
    if (wanted().length === 0) await Promise.race(underWay.keys());
    const leave = await slots.enter(null, stopping.signal);
    const ready = await nextJob.ready(wanted()).catch((error) => {
      leave();
      throw error;
    });
    if (ready !== null) return begin(ready, leave);
    leave();
    const until = AbortSignal.any([slots.whileFree(), stopping.signal, jobEnded.signal]);
    const coming = await nextJob.coming(wanted(), until);
    if (coming === null) return;
    const entered = slots.tryEnter();
    if (entered === null) coming.taken.later(0);
    else begin(coming, entered);
  }

  async function takeAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await takeNext().catch(async (err) => {
        if (stopping.signal.aborted) return;
        log.error({ err }, "no job could be taken");
        await delay(pauseMs);
      });
    }
  }

  const taking = takeAll();
  return async () => {
    stopping.abort();
    await taking;
    await Promise.all(underWay.keys());
  };
}
