import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobOwner } from "../../platform/contracts/blob.ts";
import { Failure, validationFailure } from "../../platform/contracts/failures.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";
import type { FetchFiles, NamedSource } from "../ingest/fetch-files.ts";
import { type CompletedJob, jobBody } from "../jobs/job.ts";
import { openResult } from "../jobs/stored-result.ts";
import type { SubmitJob } from "../jobs/submit-job.ts";
import type { Answer, Call, Caller } from "../route.ts";

type Deps = {
  blobs: BlobStore;
  fetchFiles: FetchFiles;
  submitJob: SubmitJob;
  checkUrl: (url: string) => URL;
};

/** Where a call wants to be told of its job's end. */
export type Notice = { webhook_url?: string | null | undefined; webhook_secret?: string | null | undefined };

type Order = {
  call: Call<unknown, unknown, Notice> & { caller: Caller };
  task: PdfTask;
  sources: readonly NamedSource[];
};

/** Makes a job of a call and answers with its result, or with the job where the call does not wait so long. */
export type RunOperation = (order: Order) => Promise<Answer>;

export function createRunOperation({ blobs, fetchFiles, submitJob, checkUrl }: Deps): RunOperation {
  return async function runOperation({ call, task, sources }) {
    const owner: BlobOwner = { kind: "jobs", id: call.newId };
    const { webhook_url: url, webhook_secret: secret } = call.body;
    const files = await discardOnFailure(blobs, owner, async () => {
      if (url != null) checkWebhookUrl(checkUrl, url);
      return fetchFiles(owner, sources, call.signal);
    });
    const submitted = await submitJob({
      id: call.newId,
      caller: call.caller,
      task,
      sources: files,
      webhook: url == null ? null : { url, secret: secret ?? null },
      respondAsync: url != null || /(^|,)\s*respond-async\s*(,|;|$)/i.test(call.headers.prefer ?? ""),
      trail: call.trail,
      signal: call.signal,
    });
    if ("finished" in submitted) return resultAnswer(blobs, submitted.finished);
    return { status: 202, data: jobBody(submitted.pending) };
  };
}

/** The operation's result as its own call answers it. */
export async function resultAnswer(blobs: BlobStore, job: CompletedJob): Promise<Answer> {
  const { data, files } = await openResult(blobs, job.result);
  return { result: data, files, jobId: job.id };
}

async function discardOnFailure<T>(blobs: BlobStore, owner: BlobOwner, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await blobs.removeOwner(owner);
    throw error;
  }
}

function checkWebhookUrl(checkUrl: (url: string) => URL, url: string): void {
  if (!URL.canParse(url)) throw validationFailure("webhook_url", "must be an http or https URL");
  try {
    checkUrl(url);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = error.message;
    throw new Failure(error.code, `webhook_url: ${message}`, { details: [{ path: "webhook_url", message }] });
  }
}
