/** The `gs` program, for machines where the addon could not be built: the same job, a process of its own each time. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBounded } from "../../platform/pdf/run-bounded.ts";
import type { GhostscriptJob, GhostscriptOutcome } from "./slot.ts";

const missingProgram = 127;

/** Runs the job; `missing` where there is no such program. Never rejects. */
export async function runGhostscriptProgram(job: GhostscriptJob): Promise<GhostscriptOutcome> {
  // Ghostscript lets a document read all of the temporary folder: this one holds nothing else.
  const scratch = await mkdtemp(join(tmpdir(), "ghostscript-"));
  try {
    const ended = await runBounded("gs", job.args, {
      cpuSeconds: Math.ceil(job.deadlineMs / 1000),
      memoryBytes: job.memoryBytes,
      wallMs: job.deadlineMs,
      signal: job.signal,
      scratch,
    });
    if (ended.code === missingProgram) return { kind: "missing" };
    if (ended.code === undefined) return { kind: "lost", signal: "SIGKILL" };
    return { kind: "finished", ok: ended.code === 0, output: ended.output };
  } catch {
    return { kind: "lost", signal: undefined };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
