import type { BlobStore } from "../../platform/blob-store.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import type { Database } from "../../platform/database.ts";
import { findJob } from "../jobs/job-rows.ts";
import type { Answer } from "../route.ts";
import { resultAnswer } from "./run-operation.ts";

/** The answer that an operation's call once had, from its job. @throws Failure not_found once that is erased */
export function createOpenJob({ db, blobs }: { db: Database; blobs: BlobStore }) {
  return async function openJob(jobId: string, accountId: string): Promise<Answer> {
    const job = await findJob(db, jobId);
    if (job === null || job.accountId !== accountId || job.result === null)
      throw new Failure("not_found", "The result of this call is no longer kept.");
    return resultAnswer(blobs, { ...job, result: job.result });
  };
}
