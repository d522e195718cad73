import { z } from "zod";
import { blobRef } from "./blob.ts";
import { accountId, jobId } from "./ids.ts";
import { defineRequest, failureData } from "./request.ts";

/**
 * What the gateway may ask of a worker. `operation` is stored in jobs and in the stream and outlives a deploy:
 * rename one by adding the new beside the old, and remove the old once it has drained.
 */
export const compressParams = z.object({
  level: z.enum(["low", "medium", "high"]),
  allowBreakingSignatures: z.boolean(),
});
export const mergeParams = z.object({ pageSize: z.enum(["original", "A4", "A3", "Letter"]) });
export const splitParams = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("pages") }),
  z.object({ mode: z.literal("range"), pages: z.array(z.array(z.number().int())) }),
  z.object({ mode: z.literal("fixed"), pagesPerFile: z.number().int() }),
  z.object({ mode: z.literal("equal"), numFiles: z.number().int() }),
]);
export const ocrParams = z.object({
  language: z.string(),
  outputFormat: z.enum(["text", "json", "pdf"]),
  forceOcr: z.boolean(),
});

export const pdfTask = z.discriminatedUnion("operation", [
  z.object({ operation: z.literal("compress"), params: compressParams }),
  z.object({ operation: z.literal("merge"), params: mergeParams }),
  z.object({ operation: z.literal("split"), params: splitParams }),
  z.object({ operation: z.literal("ocr"), params: ocrParams }),
]);
export type PdfTask = z.infer<typeof pdfTask>;

export const operations = ["compress", "merge", "split", "ocr"] as const;
export const operation = z.enum(operations);
export type OperationName = z.infer<typeof operation>;

/** The message of the work queue: only which job. What to do is asked by `claimJob`, so a stale message does nothing. */
export const queuedJob = z.object({ jobId });
export function jobSubject(name: OperationName): string {
  return `jobs.${name}`;
}

/** One attempt of a job. A superseded attempt (its number is no longer the row's) settles nothing. */
const attemptOf = { jobId, attempt: z.number().int().positive() };

/** Asked before a job is begun; any gateway answers, by one conditional UPDATE that counts the attempt. */
export const claimJob = defineRequest(
  "jobs-claim",
  z.object({ jobId, worker: z.string() }),
  z.discriminatedUnion("granted", [
    z.object({
      granted: z.literal(true),
      ...attemptOf,
      accountId,
      task: pdfTask,
      sources: z.array(blobRef),
    }),
    /** `settled`: ended or unknown, drop the message. `busy`: another attempt is alive, ask again later. */
    z.object({ granted: z.literal(false), why: z.enum(["settled", "busy"]) }),
  ]),
);

/** Sent every few seconds while a job runs, with how far it is. The answer says whether to go on. */
export const jobHeartbeat = defineRequest(
  "jobs-heartbeat",
  z.object({
    ...attemptOf,
    progress: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  }),
  z.object({ goOn: z.boolean() }),
);

/** Data of a result up to this size travels and is stored as it is: a blob would cost two syncs and be read twice. */
export const maxDataBytes = 16 * 1024;

/** A result's `ResultData`, or the blob of JSON that holds it. */
const resultData = z.union([z.object({ data: z.record(z.string(), z.unknown()) }), blobRef]);

/**
 * What came of it. `files` is one blob with all files of the result one after the other, whose sizes in bytes stand in
 * `fileSizes`.
 */
export const pdfOutcome = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    result: resultData,
    files: blobRef.nullable(),
    fileSizes: z.array(z.number().int().nonnegative()),
  }),
  z.object({ ok: z.literal(false), failure: failureData }),
]);
export type PdfOutcome = z.infer<typeof pdfOutcome>;

/** A worker that is asked to stop gives its jobs back, so that they need not be missed first. It counts as no loss. */
export const releaseJob = defineRequest(
  "jobs-release",
  z.object(attemptOf),
  z.object({ released: z.boolean() }),
);

/** Acked to the stream only after this is answered: a crash before repeats the job, never loses it. */
export const settleJob = defineRequest(
  "jobs-settle",
  z.object({ ...attemptOf, outcome: pdfOutcome }),
  z.object({ settled: z.boolean() }),
);

/** Wakes the gateway whose caller waits. At most once: whoever waits also reads the row before giving up. */
export const jobDone = { subject: (id: string) => `job-done.${id}`, message: z.object({ jobId }) };

/** Tells workers to stop a cancelled job at once; the next heartbeat's answer says the same. */
export const jobCancelled = { subject: "job-cancelled", message: z.object({ jobId }) };
