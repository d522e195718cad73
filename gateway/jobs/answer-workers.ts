import type { Bus } from "../../platform/bus.ts";
import { isFinished, maxLostAttempts } from "../../platform/contracts/job-state.ts";
import {
  claimJob,
  jobHeartbeat,
  type PdfOutcome,
  releaseJob,
  settleJob,
} from "../../platform/contracts/pdf-job.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { afterAttempt } from "./after-attempt.ts";
import { beat, claim, findMovingJob, markQueued, taskOf } from "./attempt-rows.ts";
import type { EndJob } from "./end-job.ts";
import type { EnqueueJob } from "./enqueue-job.ts";
import type { Attempt } from "./job-table.ts";

/** A worker that has said nothing for this long is taken for dead. */
export const silenceMs = 30_000;

type Deps = {
  db: Database;
  bus: Bus;
  endJob: EndJob;
  enqueueJob: EnqueueJob;
  log: Logger;
  now: () => Date;
};

/** Answers what workers ask about jobs. Any gateway may answer any of it: the rows decide. Returns how to stop. */
export function answerWorkers(deps: Deps): () => void {
  const stops = [
    deps.bus.answer(claimJob, (question) => grant(deps, question)),
    deps.bus.answer(jobHeartbeat, async ({ progress, ...attempt }) => ({
      goOn: await beat(deps.db, attempt, progress, deps.now()),
    })),
    deps.bus.answer(settleJob, async ({ outcome, ...attempt }) => ({
      settled: await settle(deps, attempt, outcome),
    })),
    deps.bus.answer(releaseJob, async (attempt) => ({ released: await release(deps, attempt) })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

async function grant({ db, now }: Deps, { jobId, worker }: { jobId: string; worker: string }) {
  const silentSince = new Date(now().getTime() - silenceMs);
  const [seen, attempt] = await Promise.all([
    taskOf(db, jobId),
    claim(db, { id: jobId, worker, now: now(), silentSince, maxLost: maxLostAttempts }),
  ]);
  // A row that came between the two was claimed without having been seen.
  const job = seen ?? (attempt === null ? null : await taskOf(db, jobId));
  if (job === null) return { granted: false, why: "settled" } as const;
  if (attempt !== null) {
    const { accountId, task, sources } = job;
    return { granted: true, jobId, attempt, accountId, task, sources } as const;
  }
  return { granted: false, why: isFinished(job.status) ? "settled" : "busy" } as const;
}

async function settle(deps: Deps, attempt: Attempt, outcome: PdfOutcome): Promise<boolean> {
  const { db, endJob, log, now } = deps;
  const job = await findMovingJob(db, attempt.jobId);
  if (job === null || job.attempt !== attempt.attempt || job.status !== "processing") return false;
  if (outcome.ok) {
    const { ok: _, ...result } = outcome;
    return endJob(job, { result }, { lost: false });
  }
  const { failure } = outcome;
  if (afterAttempt(failure.code, job.lostAttempts) === "fail")
    return endJob(job, { failure }, { lost: false });
  log.warn({ ...job.trail, ...attempt, failure: failure.code }, "attempt failed, job will be tried again");
  // Not offered at once: the sweep does it, and gives a passing fault some seconds to pass.
  return markQueued(db, attempt, { lost: true, now: now() });
}

async function release({ db, enqueueJob, now }: Deps, attempt: Attempt): Promise<boolean> {
  const job = await findMovingJob(db, attempt.jobId);
  const released = job !== null && (await markQueued(db, attempt, { lost: false, now: now() }));
  if (released) await enqueueJob({ ...job, ...attempt });
  return released;
}
