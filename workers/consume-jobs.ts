import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "../platform/bus.ts";
import type { OperationName } from "../platform/contracts/pdf-job.ts";
import type { Logger } from "../platform/log.ts";
import { createJobQueues, type OfferedJob } from "./job-queues.ts";
import type { Leave, Slots } from "./slots.ts";

const pauseMs = 500;

type Deps = {
  bus: Bus;
  operations: readonly OperationName[];
  slots: Slots;
  /** Runs a job to its end. It begins in the slot that was entered for it, and leaves it. Never rejects. */
  runJob: (offered: OfferedJob, leave: Leave) => Promise<void>;
  /** OCR jobs leave their slot between pages, so that more may be open than there are slots. */
  mostOpenOcrJobs: number;
  log: Logger;
};

/**
 * Takes jobs from the queues, each only when there is a slot to begin it in: what comes when there is none goes back
 * at once, to a worker that has one. Returns how to stop: nothing more is taken then, and it resolves when every job
 * under way has ended.
 */
export function consumeJobs({ bus, operations, slots, runJob, mostOpenOcrJobs, log }: Deps) {
  const stopping = new AbortController();
  const underWay = new Map<Promise<void>, OperationName>();
  const queues = createJobQueues(bus, arrived);

  function wanted(): readonly OperationName[] {
    const openOcrJobs = [...underWay.values()].filter((operation) => operation === "ocr").length;
    return openOcrJobs < mostOpenOcrJobs ? operations : operations.filter((name) => name !== "ocr");
  }

  function arrived(offered: OfferedJob): void {
    const leave = wanted().includes(offered.operation) ? slots.tryEnter() : null;
    if (leave === null) offered.taken.later(0);
    else begin(offered, leave);
  }

  function begin(offered: OfferedJob, leave: Leave): void {
    const job = runJob(offered, leave).finally(() => underWay.delete(job));
    underWay.set(job, offered.operation);
  }

  async function takeNext(): Promise<void> {
    const leave = await slots.enter(null, stopping.signal);
    const ready = await queues.ready(queues.unattended(wanted())).catch((error) => {
      leave();
      throw error;
    });
    if (ready !== null) return begin(ready, leave);
    leave();
    // A job's end may make an operation wanted that was not.
    await Promise.race([queues.attend(queues.unattended(wanted())), ...underWay.keys()]);
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
  return async (): Promise<void> => {
    stopping.abort();
    await queues.close();
    await taking;
    await Promise.all(underWay.keys());
  };
}
