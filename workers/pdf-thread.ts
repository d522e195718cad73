/** Runs in a slot's thread: one step at a time, to its outcome. */
import { threadId, workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { asFailure } from "../platform/contracts/failures.ts";
import { operations, preloadOperations, type StepName } from "./operations/operations.ts";
import type { FromThread, ThreadOutcome, ThreadTask } from "./thread-task.ts";

const progressEveryMs = 100;
const worthMovingBytes = 2 ** 20;

// Before the thread is called ready: the first job of a new thread is no slower than the others.
await preloadOperations((workerData as { preload: readonly StepName[] }).preload);

export default async function pdfThread(task: ThreadTask): Promise<ThreadOutcome> {
  const { step, input, workDir, port } = task;
  const stop = new AbortController();
  const tell = (message: FromThread) => port.postMessage(message);
  port.on("message", () => stop.abort());
  tell({ threadId });
  try {
    const run = operations[step] as (input: unknown, context: object) => Promise<unknown>;
    const value = await run(input, { workDir, signal: stop.signal, progress: throttled(tell) });
    return movable({ ok: true, value });
  } catch (thrown) {
    return failed(thrown);
  } finally {
    port.close();
  }
}

function throttled(tell: (message: FromThread) => void): (done: number, total: number) => void {
  let toldAt = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - toldAt < progressEveryMs) return;
    toldAt = now;
    tell({ done, total });
  };
}

function failed(thrown: unknown): ThreadOutcome {
  const { code, message, details, cause } = asFailure(thrown);
  return {
    ok: false,
    failure: { code, message, ...(details === undefined ? {} : { details }) },
    cause:
      cause === undefined ? null : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
  };
}

/** Large files change hands instead of being copied, where the array is all of its buffer. */
function movable(outcome: ThreadOutcome & { ok: true }): ThreadOutcome {
  const files = (outcome.value as { files?: readonly unknown[] }).files ?? [];
  const buffers = files.flatMap((file) =>
    file instanceof Uint8Array &&
    file.buffer instanceof ArrayBuffer &&
    file.byteLength === file.buffer.byteLength &&
    file.byteLength >= worthMovingBytes
      ? [file.buffer]
      : [],
  );
  if (buffers.length === 0) return outcome;
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome } as never) as never;
}
