import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import { Failure } from "../platform/contracts/failures.ts";
import type { StepInput, StepName, StepOutput } from "./operations/operations.ts";
import type { FromThread, ThreadOutcome, ThreadTask } from "./thread-task.ts";
import { watchMemory } from "./watch-memory.ts";

/** A thread that was asked to stop has this long to end its children before it is ended itself. */
const graceMs = 300;

export type PdfThreads = {
  /**
   * Runs one step in a thread of its own. Throws the step's `Failure`; the signal's reason when it was aborted, once
   * nothing of the step uses the processor any more; `too_complex` when it needs more memory than a slot may use.
   */
  run: <Name extends StepName>(
    step: Name,
    input: StepInput<Name>,
    bounds: { workDir: string; signal: AbortSignal; progress?: (done: number, total: number) => void },
  ) => Promise<StepOutput<Name>>;
  close: () => Promise<void>;
};

type Options = {
  count: number;
  /** Of JavaScript objects, buffers and WebAssembly together. */
  memoryMegabytes: number;
  /** Loaded before a thread takes its first step. */
  preload: readonly StepName[];
};

export function createPdfThreads({ count, memoryMegabytes, preload }: Options): PdfThreads {
  const pool = new Piscina({
    filename: new URL("./pdf-thread.ts", import.meta.url).href,
    minThreads: count,
    maxThreads: count,
    concurrentTasksPerWorker: 1,
    // An idle thread must hear of its children's ends, so it may not sleep in Atomics.wait.
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    workerData: { preload },
  });
  const threadOf = (id: number) => pool.threads.find((thread) => thread.threadId === id);

  return {
    async run(step, input, { workDir, signal, progress }) {
      signal.throwIfAborted();
      const { port1, port2 } = new MessageChannel();
      const end = new AbortController();
      const stopAsking = askToStop(port1, signal, end);
      const memory = watchMemory(memoryMegabytes, end);
      port1.on("message", (message: FromThread) => {
        if ("threadId" in message) memory.watch(threadOf(message.threadId));
        else progress?.(message.done, message.total);
      });
      try {
        const task: ThreadTask = { step, input, workDir, port: port2 };
        const outcome: ThreadOutcome = await pool.run(task, { transferList: [port2], signal: end.signal });
        signal.throwIfAborted();
        if (outcome.ok) return outcome.value as never;
        throw failureOf(outcome);
      } catch (thrown) {
        signal.throwIfAborted();
        throw memory.exceeded() || codeOf(thrown) === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch(thrown) : thrown;
      } finally {
        memory.stop();
        stopAsking();
        port1.close();
      }
    },
    close: () => pool.destroy(),
  };
}

/** A step that listens ends by itself, and its children with it; one that computes without pause loses its thread. */
function askToStop(port: MessagePort, signal: AbortSignal, end: AbortController): () => void {
  let timer: NodeJS.Timeout | undefined;
  const ask = () => {
    port.postMessage("stop");
    timer = setTimeout(() => end.abort(), graceMs);
  };
  signal.addEventListener("abort", ask, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", ask);
  };
}

function failureOf({ failure, cause }: ThreadOutcome & { ok: false }): Failure {
  const { code, message, details } = failure;
  return new Failure(code, message, { cause, ...(details === undefined ? {} : { details }) });
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

function tooMuch(cause: unknown): Failure {
  const message = "This file needs more memory than one job may use. Split it, or send a simpler one.";
  return new Failure("too_complex", message, { cause });
}
