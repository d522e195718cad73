import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import { jobDone } from "../../platform/contracts/pdf-job.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { eventMessage, type Outbox, writeOutbox } from "../../platform/outbox.ts";
import { markEnded } from "./attempt-rows.ts";
import { type JobEnd, jobEvent } from "./job-event.ts";
import type { JobMetrics } from "./job-metrics.ts";
import type { MovingJob } from "./job-table.ts";
import { keptMs } from "./retention.ts";

/** `lost`: the attempt did not end of itself. */
export type EndJob = (job: MovingJob, end: JobEnd, how: { lost: boolean }) => Promise<boolean>;

type Deps = {
  db: Database;
  bus: Bus;
  blobs: BlobStore;
  outbox: Outbox;
  metrics: JobMetrics;
  log: Logger;
  now: () => Date;
};

/**
 * Ends a job: its row and the event that announces it are one transaction, and whoever waits is woken after it. False
 * when the attempt was superseded, or the job has ended already: then nothing has changed.
 */
export function createEndJob({ db, bus, blobs, outbox, metrics, log, now }: Deps): EndJob {
  return async function endJob(job, end, { lost }) {
    const endedAt = now();
    const event = await jobEvent(blobs, job, end, endedAt);
    const message = eventMessage(event, job.trail);
    const ended = await db.transaction(async (trx) => {
      const changed = await markEnded(trx, job, { ...end, lost, now: endedAt, keptMs });
      if (changed) await writeOutbox(trx, endedAt, [message]);
      return changed;
    });
    if (!ended) {
      await blobs.removeOwner({ kind: "events", id: event.id });
      return false;
    }
    bus.notify(jobDone.subject(job.jobId), { jobId: job.jobId }, job.trail);
    void outbox.publishNow([message]);
    const { jobId, attempt, operation } = job;
    const outcome = "failure" in end ? end.failure.code : "completed";
    metrics.ended.inc({ operation, outcome });
    log.info({ ...job.trail, jobId, attempt, operation, outcome }, "job ended");
    return true;
  };
}
