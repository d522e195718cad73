import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "../../platform/bus.ts";
import { jobSubject, type OperationName } from "../../platform/contracts/pdf-job.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { noteMessage, stillQueued } from "./attempt-rows.ts";

/** Most jobs have begun by then, and need no note: one question finds the others. Must be less than the sweep's grace. */
const noteAfterMs = 1000;

export type ToQueue = { jobId: string; attempt: number; operation: OperationName; trail: Trail };
export type EnqueueJob = (job: ToQueue) => Promise<void>;

type Deps = { db: Database; bus: Bus; log: Logger; now: () => Date };

/**
 * Offers a queued job to the workers. The job's row is its own outbox entry: queued without a message, or with one
 * that its stream no longer holds, is found by the sweep and offered again.
 */
export function createEnqueueJob({ db, bus, log, now }: Deps): EnqueueJob {
  let unnoted = new Map<string, { messageId: string; sequence: number }>();

  async function noteThose(): Promise<void> {
    await delay(noteAfterMs, undefined, { ref: false });
    const messages = unnoted;
    unnoted = new Map();
    const waiting = new Set(await stillQueued(db, [...messages.keys()]));
    await Promise.all(
      [...messages]
        .filter(([jobId]) => waiting.has(jobId))
        .map(([jobId, message]) => noteMessage(db, jobId, message)),
    );
  }

  return async function enqueueJob({ jobId, attempt, operation, trail }) {
    // Another id each time: the stream drops repeats of an id even after that message was acked.
    const messageId = `${jobId}.${attempt}.${now().getTime().toString(36)}`;
    const { sequence } = await bus.publish(jobSubject(operation), { jobId }, { messageId, trail });
    unnoted.set(jobId, { messageId, sequence });
    if (unnoted.size > 1) return;
    noteThose().catch((err) => log.warn({ err }, "jobs' messages not noted; they will be offered again"));
  };
}
