import type { BlobStore } from "../platform/blob-store.ts";
import type { Bus } from "../platform/bus.ts";
import { Failure } from "../platform/contracts/failures.ts";
import { inspectPdf } from "../platform/contracts/pdf-inspect.ts";
import type { PdfThreads } from "./pdf-threads.ts";
import { createSlots } from "./slots.ts";
import type { WorkFolder } from "./work-folder.ts";

/** The whole of it, the wait for a turn included; the step has a shorter bound of its own. */
const limitMs = 40_000;

type Deps = { bus: Bus; blobs: BlobStore; folder: WorkFolder; threads: PdfThreads; threadCount: number };

/**
 * Looks PDFs over for callers who wait. In threads of its own: the slots of jobs may be taken for minutes.
 * Returns how to stop.
 */
export function answerInspect({ bus, blobs, folder, threads, threadCount }: Deps): () => void {
  const slots = createSlots(threadCount);
  return bus.answer(inspectPdf, async ({ blob }) => {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(tooBusy()), limitMs);
    try {
      const leave = await slots.enter(null, over.signal);
      return await folder
        .lend("inspection", async (workDir) => {
          const source = { path: await blobs.localPath(blob, workDir), size: blob.size };
          return threads.run("inspect", { source }, { workDir, signal: over.signal });
        })
        .finally(leave);
    } finally {
      clearTimeout(timer);
    }
  });
}

function tooBusy(): Failure {
  return new Failure("overloaded", "Too many files are being looked over. Try again shortly.", {
    retryAfterSeconds: 10,
  });
}
