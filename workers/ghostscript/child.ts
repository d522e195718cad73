/**
 * The process that alone loads Ghostscript. The binding holds a process-wide lock, cannot be stopped, leaks, and a
 * crash in it takes the process along: so there is one such process a slot, and it may be lost at any moment.
 */
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { Worker } from "node:worker_threads";
import {
  endOfRun,
  type GhostscriptReply,
  type GhostscriptRequest,
  type WatchdogData,
  watched,
} from "./messages.ts";

type Ghostscript = { executeSync: (args: string[]) => void };

const shared = new Float64Array(new SharedArrayBuffer(watched.length * Float64Array.BYTES_PER_ELEMENT));
const workerData: WatchdogData = { shared, parentPid: process.ppid, folder: tmpdir() };

// A thread of its own: it must act while this one is inside native code that never returns.
new Worker(new URL("./watchdog.ts", import.meta.url), { workerData });
const ghostscript = loadAddon();
process.on("message", run);
process.on("disconnect", () => process.exit());
reply({ kind: "ready", addon: ghostscript !== undefined });

function loadAddon(): Ghostscript | undefined {
  try {
    return createRequire(import.meta.url)("ghostscript4js") as Ghostscript;
  } catch {
    return undefined;
  }
}

function run(message: unknown): void {
  const { args, deadlineMs, memoryBytes } = message as GhostscriptRequest;
  shared[watched.memoryBytes] = memoryBytes;
  shared[watched.deadlineAt] = Date.now() + deadlineMs;
  let ok = ghostscript !== undefined;
  try {
    // The first argument is dropped as the program's name.
    ghostscript?.executeSync(["gs", ...args]);
  } catch {
    ok = false;
  }
  shared[watched.deadlineAt] = 0;
  writeSync(1, endOfRun);
  writeSync(2, endOfRun);
  reply({ kind: "done", ok });
}

function reply(message: GhostscriptReply): void {
  process.send?.(message);
}
