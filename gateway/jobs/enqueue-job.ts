import type { Bus } from "../../platform/bus.ts";
import { jobSubject, type OperationName } from "../../platform/contracts/pdf-job.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database } from "../../platform/database.ts";
import { noteMessage } from "./attempt-rows.ts";

export type ToQueue = { jobId: string; attempt: number; operation: OperationName; trail: Trail };
export type EnqueueJob = (job: ToQueue) => Promise<void>;

/**
 * Offers a queued job to the workers. The job's row is its own outbox entry: queued without a message, or with one
 * that its stream no longer holds, is found by the sweep and offered again.
 */
export function createEnqueueJob({ db, bus, now }: { db: Database; bus: Bus; now: () => Date }): EnqueueJob {
  return async function enqueueJob({ jobId, attempt, operation, trail }) {
    // Another id each time: the stream drops repeats of an id even after that message was acked.
    const messageId = `${jobId}.${attempt}.${now().getTime().toString(36)}`;
    const { sequence } = await bus.publish(jobSubject(operation), { jobId }, { messageId, trail });
    await noteMessage(db, jobId, { messageId, sequence }, now());
  };
}
