/**
 * Runs PDFium and Tesseract in a thread of their own, so that a hostile page can be stopped at any instant: WebAssembly
 * does not yield, and nothing but ending its thread ends it. Engines stay warm between pages; a slot needs one.
 */
import { Worker } from "node:worker_threads";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { PageEngineAnswer, PageEngineResult, PageEngineTask } from "./page-engine-tasks.ts";

type Bounds = { signal: AbortSignal; timeoutMs: number };

/** An engine's thread died or trapped on this input. What that means depends on what it was asked. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
}

/** An engine had no answer within its time bound, and was stopped. */
export class EngineTimeout extends Error {
  override readonly name = "EngineTimeout";
}

// The JavaScript heap only: pixels and WebAssembly memory live outside it.
const heapMegabytes = 512;

// The thread's warm engine. It is the thread's own and holds nothing of a finished job but the loaded language.
const idle: Worker[] = [];

/** Throws the task's `Failure`, the signal's reason, `EngineTimeout` or `EngineLost`. After a throw nothing of it runs on. */
export async function runInPageEngine<Task extends PageEngineTask>(
  task: Task,
  { signal, timeoutMs }: Bounds,
): Promise<PageEngineResult[Task["task"]]> {
  signal.throwIfAborted();
  const engine = idle.pop() ?? startEngine();
  let answer: PageEngineAnswer;
  try {
    answer = await ask(engine, task, { signal, timeoutMs });
  } catch (thrown) {
    await engine.terminate();
    throw thrown;
  }
  if (answer.worn || idle.length > 0) await engine.terminate();
  else idle.push(engine);
  if (answer.ok) return answer.result as PageEngineResult[Task["task"]];
  if (answer.failure === null) throw new EngineLost(answer.cause);
  const { code, message, details } = answer.failure;
  throw new Failure(code, message, { cause: answer.cause, ...(details === undefined ? {} : { details }) });
}

function startEngine(): Worker {
  const engine = new Worker(new URL("./page-engine-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // What libraries print is no log line of ours. It is little, and ends with the engine.
    stdout: true,
    stderr: true,
  });
  // One that dies while nobody asks it anything must neither end this thread nor be asked again.
  engine.on("error", () => {});
  engine.once("exit", () => {
    const at = idle.indexOf(engine);
    if (at >= 0) idle.splice(at, 1);
  });
  return engine;
}

function ask(engine: Worker, task: PageEngineTask, { signal, timeoutMs }: Bounds): Promise<PageEngineAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PageEngineAnswer>();
  const timer = setTimeout(() => reject(new EngineTimeout(`No answer in ${timeoutMs} ms`)), timeoutMs);
  const onAbort = () => reject(signal.reason);
  const onExit = (code: number) => reject(new EngineLost(`The engine's thread ended with code ${code}`));
  const onError = (cause: unknown) => reject(new EngineLost("The engine's thread failed", { cause }));
  signal.addEventListener("abort", onAbort, { once: true });
  engine.once("message", resolve).once("exit", onExit).once("error", onError);
  engine.ref();
  engine.postMessage(task);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    engine.off("message", resolve).off("exit", onExit).off("error", onError);
    // An idle engine keeps no process alive.
    engine.unref();
  });
}
