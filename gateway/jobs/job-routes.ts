import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import {
  jobDeleted,
  jobList,
  jobPath,
  jobsQuery,
  jobWithData,
} from "../../platform/contracts/http-api/jobs.ts";
import { jobId } from "../../platform/contracts/ids.ts";
import { isFinished } from "../../platform/contracts/job-state.ts";
import { jobCancelled, jobDone } from "../../platform/contracts/pdf-job.ts";
import type { Database } from "../../platform/database.ts";
import { type Answer, type Route, route } from "../route.ts";
import { type Job, jobBody } from "./job.ts";
import { cancelJob, findJob, listJobs } from "./job-rows.ts";
import { eraseJob, keptMs } from "./retention.ts";
import { openResult } from "./stored-result.ts";

type Deps = { db: Database; bus: Bus; blobs: BlobStore; now: () => Date };

const jobExample = {
  job_id: "job_01kb2v0f5w8x3t9q6r7y1n2m4p",
  operation: "compress",
  status: "completed",
  created_at: "2026-11-21T02:19:00.123Z",
  completed_at: "2026-11-21T02:19:00.456Z",
  expires_at: "2026-11-22T02:19:00.456Z",
  progress: null,
  error: null,
};

/** Looking jobs up, cancelling and erasing them. */
export function jobRoutes(deps: Deps): Route[] {
  return [
    route({
      method: "get",
      path: "/api/v1/pdf/jobs/:job_id",
      tag: "Jobs",
      summary: "Look up a job, with its result",
      description: "Jobs and their results are kept for 24 hours after their end.",
      permission: "pdf:process",
      params: jobPath,
      answers: {
        200: {
          schema: jobWithData,
          example: { ...jobExample, data: { pdf_base64: "JVBERi0xLjcK…", savings_percent: 41.07 } },
        },
      },
      handle: async ({ params, caller }) =>
        answerOf(deps, await ownJob(deps, params.job_id, caller.accountId)),
    }),
    route({
      method: "get",
      path: "/api/v1/pdf/jobs",
      tag: "Jobs",
      summary: "List jobs, newest first",
      permission: "pdf:process",
      query: jobsQuery,
      answers: {
        200: {
          schema: jobList,
          example: { jobs: [jobExample], pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 } },
        },
      },
      handle: async ({ query, caller }) => {
        const { jobs, total } = await listJobs(deps.db, caller.accountId, query, deps.now());
        const { page, per_page } = query;
        const pagination = { page, per_page, total, total_pages: Math.ceil(total / per_page) };
        return { data: { jobs: jobs.map(jobBody), pagination } };
      },
    }),
    route({
      method: "delete",
      path: "/api/v1/pdf/jobs/:job_id",
      tag: "Jobs",
      summary: "Cancel a job, or erase one that has ended",
      description:
        "A queued or processing job is cancelled and its work stops. A job that has ended is erased at once, with its result.",
      permission: "pdf:process",
      params: jobPath,
      answers: {
        200: {
          schema: jobDeleted,
          example: { job_id: jobExample.job_id, status: "cancelled", erased: false },
        },
      },
      handle: async ({ params, caller }) => ({
        data: await cancelOrErase(deps, await ownJob(deps, params.job_id, caller.accountId)),
      }),
    }),
  ];
}

async function ownJob({ db, now }: Deps, id: string, accountId: string): Promise<Job> {
  const job = jobId.safeParse(id).success ? await findJob(db, id) : null;
  const expired = job?.expiresAt != null && job.expiresAt <= now();
  if (job === null || job.accountId !== accountId || expired)
    throw new Failure("not_found", "There is no such job. Jobs are kept for 24 hours after their end.");
  return job;
}

async function answerOf({ blobs }: Deps, job: Job): Promise<Answer> {
  if (job.result === null) return { data: { ...jobBody(job), data: null } };
  const { data, files } = await openResult(blobs, job.result);
  return { result: { ...jobBody(job), data }, files, jobId: job.id };
}

async function cancelOrErase({ db, bus, blobs, now }: Deps, job: Job) {
  const at = now();
  const cancelled =
    !isFinished(job.status) && (await cancelJob(db, job.id, at, new Date(at.getTime() + keptMs)));
  if (cancelled) {
    bus.notify(jobCancelled.subject, { jobId: job.id });
    bus.notify(jobDone.subject(job.id), { jobId: job.id });
    return { job_id: job.id, status: "cancelled", erased: false };
  }
  // It may have ended since it was read.
  const ended = isFinished(job.status) ? job : await findJob(db, job.id);
  await eraseJob(db, blobs, job.id);
  return { job_id: job.id, status: ended?.status ?? job.status, erased: true };
}
