import { z } from "zod";
import type { FailureCode } from "../failures.ts";
import { jobId } from "../ids.ts";
import { jobStatus } from "../job-state.ts";
import { operation } from "../pdf-job.ts";
import { failureBody, pageQuery, pagination, timestamp } from "./envelope.ts";

/** A job as lists show it and as a 202 answers it: everything but its result. */
export const jobBody = z.object({
  job_id: jobId.meta({ example: "job_01kb2v0f5w8x3t9q6r7y1n2m4p" }),
  operation,
  status: jobStatus,
  created_at: timestamp,
  /** When the job ended, whichever way; null until then. */
  completed_at: timestamp.nullable(),
  /** When the job and its result are removed; null until it has ended. */
  expires_at: timestamp.nullable(),
  progress: z
    .object({ done: z.number().int(), total: z.number().int() })
    .nullable()
    .describe("Pages done of pages to do, while the job is processing."),
  error: failureBody.shape.error
    .pick({ code: true, message: true })
    .nullable()
    .describe("Why the job failed; null otherwise."),
});
export type JobBody = z.infer<typeof jobBody>;

/** A job with its result: what the operation itself would have answered. */
export const jobWithData = jobBody.extend({
  data: z.record(z.string(), z.unknown()).nullable().describe("The operation's whole result once completed."),
});

export const jobPath = z.object({ job_id: z.string() });
export const jobsQuery = pageQuery.extend({ status: jobStatus.optional(), operation: operation.optional() });
export type JobsQuery = z.infer<typeof jobsQuery>;
export const jobList = z.object({ jobs: z.array(jobBody), pagination });

/** What DELETE did: cancelled a job that had not ended, or erased one that had. */
export const jobDeleted = z.object({ job_id: jobId, status: jobStatus, erased: z.boolean() });

/** Codes with which a job itself may fail; a call that waits answers with their status. */
export const jobFailureCodes = [
  "invalid_pdf",
  "encrypted_pdf",
  "invalid_image",
  "signed_pdf",
  "unsupported_pdf",
  "too_complex",
  "validation_failed",
  "processing_timeout",
  "overloaded",
] as const satisfies readonly FailureCode[];
