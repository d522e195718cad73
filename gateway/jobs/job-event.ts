import type { BlobStore } from "../../platform/blob-store.ts";
import type { Event, EventBody } from "../../platform/contracts/event.ts";
import type { FailureData } from "../../platform/contracts/failures.ts";
import type { ResultData } from "../../platform/contracts/result-data.ts";
import { newId } from "../../platform/new-id.ts";
import { jsonWithFiles } from "../answers/json-with-files.ts";
import type { StoredResult } from "./job.ts";
import type { MovingJob } from "./job-table.ts";
import { openResult } from "./stored-result.ts";

/** Text up to this size goes in the message itself; the bus takes no message over 1 MB. */
const maxMessageBytes = 64 * 1024;

export type JobEnd = { result: StoredResult } | { failure: FailureData };

/**
 * The event that a job's end is announced with. Its body is frozen here: every delivery sends and signs these bytes.
 * A body with files lies in a blob of the event's own, since the job's blobs may be erased before it is delivered.
 */
export async function jobEvent(blobs: BlobStore, job: MovingJob, end: JobEnd, now: Date): Promise<Event> {
  const id = newId("event");
  const type = `pdf.${job.operation}.${"result" in end ? "completed" : "failed"}` as const;
  const about = { event: type, job_id: job.jobId };
  return {
    id,
    type,
    accountId: job.accountId,
    occurredAt: now.toISOString(),
    body: await ("result" in end
      ? resultBody(blobs, id, end.result, (data) => ({ ...about, data, timestamp: now.toISOString() }))
      : failureBody({ ...about, data: { error: errorOf(end.failure) }, timestamp: now.toISOString() })),
    tag: null,
    jobId: job.jobId,
    order: null,
    callAddress: job.callAddress,
  };
}

async function resultBody(
  blobs: BlobStore,
  eventId: string,
  stored: StoredResult,
  bodyOf: (data: ResultData) => ResultData,
): Promise<EventBody> {
  const { data, files } = await openResult(blobs, stored);
  const body = bodyOf(data);
  if (stored.files === null && ("data" in stored.result || stored.result.size <= maxMessageBytes))
    return { in: "message", json: JSON.stringify(body) };
  return {
    in: "blob",
    blob: await blobs.put({ kind: "events", id: eventId }, jsonWithFiles(body, files)),
  };
}

function failureBody(body: object): EventBody {
  return { in: "message", json: JSON.stringify(body) };
}

function errorOf({ code, message }: FailureData) {
  return { code, message };
}
