import type { BlobRef } from "../../platform/contracts/blob.ts";
import type { Failure } from "../../platform/contracts/failures.ts";
import type { JobBody } from "../../platform/contracts/http-api/jobs.ts";
import type { JobStatus } from "../../platform/contracts/job-state.ts";
import type { PdfOutcome, PdfTask } from "../../platform/contracts/pdf-job.ts";
import type { Trail } from "../../platform/contracts/trail.ts";

/** A completed job's result: small data itself, and where the blobs lie, as `PdfOutcome` says. */
export type StoredResult = Omit<Extract<PdfOutcome, { ok: true }>, "ok">;

export type Job = {
  id: string;
  accountId: string;
  operation: PdfTask["operation"];
  status: JobStatus;
  progress: { done: number; total: number } | null;
  createdAt: Date;
  /** When it ended, whichever way. */
  completedAt: Date | null;
  expiresAt: Date | null;
  /** Only of a completed job. */
  result: StoredResult | null;
  /** Only of a failed job. */
  failure: Failure | null;
};

export type CompletedJob = Job & { result: StoredResult };

/** A job that is to be: its sources already lie in blobs of its own. */
export type NewJob = {
  id: string;
  accountId: string;
  task: PdfTask;
  sources: readonly BlobRef[];
  /** Where the call wants the event sent; the secret is encrypted. */
  callAddress: { url: string; sealedSecret: string | null } | null;
  trail: Trail;
  createdAt: Date;
};

/** The job as the API shows it, without its result. */
export function jobBody(job: Job): JobBody {
  return {
    job_id: job.id,
    operation: job.operation,
    status: job.status,
    created_at: job.createdAt.toISOString(),
    completed_at: job.completedAt?.toISOString() ?? null,
    expires_at: job.expiresAt?.toISOString() ?? null,
    progress: job.progress,
    error: job.failure === null ? null : { code: job.failure.code, message: job.failure.message },
  };
}
