import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { createOutbox } from "../../platform/outbox.ts";
import { repeat } from "../../platform/repeat.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Route } from "../route.ts";
import { answerWorkers } from "./answer-workers.ts";
import { createEndJob } from "./end-job.ts";
import { createEnqueueJob } from "./enqueue-job.ts";
import { jobMetrics } from "./job-metrics.ts";
import { jobRoutes } from "./job-routes.ts";
import type { QueueLimits } from "./queue-limits.ts";
import { removeExpiredJobs, removeOrphans } from "./retention.ts";
import { createSubmitJob, type SubmitJob } from "./submit-job.ts";
import { createSweepJobs } from "./sweep-jobs.ts";

const second = 1000;

export type JobsRoom = {
  submitJob: SubmitJob;
  routes: Route[];
  /** Moves on the jobs that something forgot. Done every few seconds by itself. */
  sweep: () => Promise<void>;
  close: () => Promise<void>;
};

type Deps = {
  db: Database;
  bus: Bus;
  blobs: BlobStore;
  secretBox: SecretBox;
  metrics: Metrics;
  log: Logger;
  now?: () => Date;
  /** How long a call waits for its job's end. */
  waitMs: number;
  limits: QueueLimits;
  sweepEveryMs?: number;
};

/** Everything of the gateway's that has to do with jobs, at work until it is closed. */
export function openJobs(deps: Deps): JobsRoom {
  const { db, bus, blobs, secretBox, log, waitMs, limits } = deps;
  const { now = () => new Date(), sweepEveryMs = 5 * second } = deps;
  const metrics = jobMetrics(deps.metrics);
  const outbox = createOutbox({ db, bus, log, now });
  const enqueueJob = createEnqueueJob({ db, bus, log, now });
  const endJob = createEndJob({ db, bus, blobs, outbox, metrics, log, now });
  const stopAnswering = answerWorkers({ db, bus, endJob, enqueueJob, log, now });
  const often = (work: () => Promise<void>, everyMs: number, what: string) =>
    repeat(work, everyMs, (err) => log.warn({ err }, `${what} failed`));
  const sweep = createSweepJobs({ db, bus, endJob, enqueueJob, metrics, log, now });
  const sweeps = [
    often(sweep, sweepEveryMs, "sweep of the jobs"),
    often(() => removeExpiredJobs({ db, blobs, log, now }), 60 * second, "removal of expired jobs"),
    often(() => removeOrphans({ db, blobs, log, now }), 3600 * second, "removal of orphaned blobs"),
  ];
  return {
    submitJob: createSubmitJob({ db, bus, blobs, enqueueJob, secretBox, log, now, waitMs, limits }),
    routes: jobRoutes({ db, bus, blobs, now }),
    sweep,
    close: async () => {
      stopAnswering();
      await Promise.all(sweeps.map(({ stop }) => stop()));
      await outbox.close();
    },
  };
}
