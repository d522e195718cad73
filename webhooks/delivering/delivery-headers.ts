import type { Task } from "./task.ts";

type Described = Pick<Task, "sequence"> & { event: Pick<Task["event"], "type" | "jobId"> };

/** The headers of a delivery, the same by push and by pull; `signature` from `signPayload`. */
export function deliveryHeaders(
  { sequence, event }: Described,
  signature: Record<string, string>,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-service-event": event.type,
    ...(event.jobId === null ? {} : { "x-service-job-id": event.jobId }),
    "x-service-sequence": String(sequence),
    ...signature,
  };
}
