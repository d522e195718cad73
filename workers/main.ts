import { hostname } from "node:os";
import { announceReady } from "../platform/announce-ready.ts";
import { openBlobStore } from "../platform/blob-store.ts";
import { connectBus } from "../platform/bus.ts";
import { jobCancelled } from "../platform/contracts/pdf-job.ts";
import { serveHealth } from "../platform/health.ts";
import { createLog } from "../platform/log.ts";
import { createMetrics } from "../platform/metrics.ts";
import { newId } from "../platform/new-id.ts";
import { createShutdown, stopOnSignals } from "../platform/shutdown.ts";
import { answerInspect } from "./answer-inspect.ts";
import type { Attempt } from "./attempt.ts";
import { attemptMetrics } from "./attempt-metrics.ts";
import { readConfig } from "./config.ts";
import { consumeJobs } from "./consume-jobs.ts";
import { warnWithoutGhostscript } from "./ghostscript/warn-without-ghostscript.ts";
import { giveUpAbandoned } from "./give-up-abandoned.ts";
import { createPdfThreads } from "./pdf-threads.ts";
import { createRunJob } from "./run-job.ts";
import { createSlots } from "./slots.ts";
import { stepsOf } from "./steps-of.ts";
import { openWorkFolder } from "./work-folder.ts";

/** Jobs that leave their slot between pages may be more than the slots. */
const openOcrJobsPerSlot = 3;
/** Jobs under way when the service is asked to stop have this long to end. */
const patienceMs = 15_000;

const config = readConfig(process.env);
const log = createLog("workers", config.LOG_LEVEL);
const shutdown = createShutdown(log);
stopOnSignals(shutdown);

const slotCount = config.WORKER_SLOTS;
const operations = config.WORKER_OPERATIONS;
const metrics = createMetrics("workers");
const bus = await connectBus({ url: config.NATS_URL, service: "workers", log });
shutdown.add("bus", bus.close);
const blobs = await openBlobStore(config.BLOB_URL);
const folder = await openWorkFolder(config.DATA_DIR);
shutdown.add("work folder", folder.remove);
const threads = createPdfThreads({
  count: slotCount,
  memoryMegabytes: config.WORKER_SLOT_MEMORY_MB,
  preload: operations.flatMap(stepsOf),
});
shutdown.add("threads", threads.close);

const slots = createSlots(slotCount);
const attempts = new Map<string, Attempt>();
const giveUp = new AbortController();
const runJob = createRunJob({
  ...{ bus, blobs, threads, slots, slotCount, folder, log, attempts },
  worker: `${hostname()}.${process.pid}.${newId("request")}`,
  metrics: attemptMetrics(metrics, slots.busy),
  giveUp: giveUp.signal,
});
bus.listen(jobCancelled.subject, jobCancelled.message, ({ jobId }) => attempts.get(jobId)?.stop("cancelled"));
const stopConsuming = consumeJobs({
  ...{ bus, operations, slots, runJob, log },
  mostOpenOcrJobs: slotCount * openOcrJobsPerSlot,
});
shutdown.add("jobs", async () => {
  const tooLate = setTimeout(() => {
    giveUp.abort();
    for (const attempt of attempts.values()) attempt.stop("stopping");
  }, patienceMs);
  await stopConsuming();
  clearTimeout(tooLate);
});

const inspectThreads = createPdfThreads({
  count: 1,
  memoryMegabytes: config.WORKER_SLOT_MEMORY_MB,
  preload: ["inspect"],
});
shutdown.add("inspection", inspectThreads.close);
const stopInspecting = answerInspect({ bus, blobs, folder, threads: inspectThreads, threadCount: 1 });
shutdown.add("inspections", stopInspecting);

void giveUpAbandoned(bus, folder.abandoned, log);
if (operations.includes("compress")) void warnWithoutGhostscript(log);

const health = await serveHealth({
  port: config.HEALTH_PORT,
  host: config.HOST,
  checks: { nats: bus.check, blobs: blobs.check },
  isOpen: shutdown.isOpen,
  metrics,
});
shutdown.add("health", () => health.close());
announceReady(log, { operations, slots: slotCount });
