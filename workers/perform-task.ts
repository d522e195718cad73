import type { z } from "zod";
import type { BlobStore } from "../platform/blob-store.ts";
import type { claimJob } from "../platform/contracts/pdf-job.ts";
import type { Attempt } from "./attempt.ts";
import type { OperationResult, SourceFile } from "./operations/operation.ts";
import type { PdfThreads } from "./pdf-threads.ts";
import { runOcr } from "./run-ocr.ts";

export type ClaimedJob = Extract<z.infer<typeof claimJob.answer>, { granted: true }>;

type Deps = { blobs: BlobStore; threads: PdfThreads; slotCount: number };

/** Does what a job asks, in the slots of its attempt. */
export async function performTask(
  { blobs, threads, slotCount }: Deps,
  attempt: Attempt,
  { task, sources: refs }: ClaimedJob,
  workDir: string,
): Promise<OperationResult> {
  const sources = await Promise.all(
    refs.map(
      async (ref): Promise<SourceFile> => ({ path: await blobs.localPath(ref, workDir), size: ref.size }),
    ),
  );
  const bounds = {
    workDir,
    signal: attempt.signal,
    progress: (done: number, total: number) => {
      attempt.progress = { done, total };
    },
  };
  switch (task.operation) {
    case "compress":
      return attempt.inSlot(() => threads.run("compress", { sources, params: task.params }, bounds));
    case "merge":
      return attempt.inSlot(() => threads.run("merge", { sources, params: task.params }, bounds));
    case "split":
      return attempt.inSlot(() => threads.run("split", { sources, params: task.params }, bounds));
    case "ocr": {
      const [source] = sources;
      if (source === undefined) throw new Error("OCR takes one source");
      return runOcr(threads, attempt, { source, params: task.params, workDir }, slotCount);
    }
  }
}
