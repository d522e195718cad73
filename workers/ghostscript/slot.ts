/**
 * A thread's own Ghostscript: one warm child process, replaced when it crashes, is killed, or has run often enough.
 * Where the addon is missing, the `gs` program does the same.
 */
import { runGhostscriptProgram } from "./run-program.ts";
import { type GhostscriptChild, startGhostscriptChild } from "./start-child.ts";

export type GhostscriptJob = {
  /** Arguments as the `gs` program takes them, without the program's name. */
  args: readonly string[];
  deadlineMs: number;
  memoryBytes: number;
  signal?: AbortSignal | undefined;
};

/** What became of a run. Ghostscript can call a blank page a success: `output` is its own words, the result needs checking. */
export type GhostscriptOutcome =
  | { kind: "finished"; ok: boolean; output: string }
  | { kind: "lost"; signal: string | undefined }
  /** Neither the addon nor the program is there. */
  | { kind: "missing" };

export type GhostscriptSlot = {
  /** Runs jobs one after another. Never rejects: a crashed or killed child is an outcome, an aborted signal kills it. */
  run: (job: GhostscriptJob) => Promise<GhostscriptOutcome>;
  /** Kills the child and waits until it is gone. */
  close: () => Promise<void>;
};

// The binding leaks some 50 KB a small job and 350 KB a page-rich one.
const maxJobsOfOneChild = 200;

/** An empty slot; the child starts with the first call of `run`. */
export function createGhostscriptSlot(): GhostscriptSlot {
  let child: GhostscriptChild | undefined;
  let addonMissing = false;
  let queue: Promise<unknown> = Promise.resolve();
  const runNext = async (job: GhostscriptJob): Promise<GhostscriptOutcome> => {
    if (job.signal?.aborted) return { kind: "lost", signal: undefined };
    if (addonMissing) return runGhostscriptProgram(job);
    if (child === undefined || child.gone() || child.jobs() >= maxJobsOfOneChild) {
      await child?.kill();
      child = startGhostscriptChild();
    }
    const outcome = await child.run(job);
    if (outcome.kind !== "missing") return outcome;
    addonMissing = true;
    await child.kill();
    return runGhostscriptProgram(job);
  };
  return {
    run(job) {
      const outcome = queue.then(() => runNext(job));
      queue = outcome;
      return outcome;
    },
    async close() {
      await child?.kill();
      child = undefined;
    },
  };
}
