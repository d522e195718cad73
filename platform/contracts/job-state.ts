import { z } from "zod";

export const jobStatuses = ["queued", "processing", "completed", "failed", "cancelled"] as const;
export const jobStatus = z.enum(jobStatuses);
export type JobStatus = z.infer<typeof jobStatus>;

/** Where a job may go from each status. A finished job goes nowhere. */
const next: Record<JobStatus, readonly JobStatus[]> = {
  queued: ["processing", "cancelled"],
  processing: ["processing", "queued", "completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** The statuses from which `to` may be reached: the condition of the UPDATE that makes the step. */
export function statusesBefore(to: JobStatus): JobStatus[] {
  return jobStatuses.filter((from) => next[from].includes(to));
}

export function isFinished(status: JobStatus): boolean {
  return next[status].length === 0;
}

/** The attempt whose loss (worker gone or crashed, a passing fault of ours) fails the job. */
export const maxLostAttempts = 3;
