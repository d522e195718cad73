import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "../../platform/bus.ts";
import { jobSubject, type OperationName } from "../../platform/contracts/pdf-job.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { noteMessage } from "./attempt-rows.ts";

/** Most jobs have begun by then, and need no note. Must be less than the sweep's grace. */
const noteAfterMs = 1000;

export type ToQueue = { jobId: string; attempt: number; operation: OperationName; trail: Trail };
export type EnqueueJob = (job: ToQueue) => Promise<void>;

type Deps = { db: Database; bus: Bus; log: Logger; now: () => Date };

/**
 * Offers a queued job to the workers. The job's row is its own outbox entry: queued without a message, or with one
 * that its stream no longer holds, is found by the sweep and offered again.
 */
export function createEnqueueJob({ db, bus, log, now }: Deps): EnqueueJob {
  return async function enqueueJob({ jobId, attempt, operation, trail }) {
    // Another id each time: the stream drops repeats of an id even after that message was acked.
    const messageId = `${jobId}.${attempt}.${now().getTime().toString(36)}`;
    const { sequence } = await bus.publish(jobSubject(operation), { jobId }, { messageId, trail });
    void delay(noteAfterMs, undefined, { ref: false })
      .then(() => noteMessage(db, jobId, { messageId, sequence }))
      .catch((err) =>
        log.warn({ ...trail, err, jobId }, "job's message not noted; it will be offered again"),
      );
  };
}
