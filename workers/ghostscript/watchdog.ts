/** The thread beside Ghostscript: ends the whole process by SIGKILL when a bound is passed or nobody waits any more. */
import { read, readFileSync, rmSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { lifeline, type WatchdogData, watched } from "./messages.ts";

const { shared, parentPid, folder } = workerData as WatchdogData;
const pollMs = 50;
const memoryPageBytes = 4096;

// Nothing is ever sent: the read returns when the thread that owns this process is gone, however it went.
read(lifeline, Buffer.alloc(1), 0, 1, null, die);
setInterval(() => {
  if (process.ppid !== parentPid) die();
  const deadlineAt = shared[watched.deadlineAt] ?? 0;
  if (deadlineAt === 0) return;
  if (Date.now() > deadlineAt || residentBytes() > (shared[watched.memoryBytes] ?? 0)) die();
}, pollMs);

function residentBytes(): number {
  try {
    return Number(readFileSync("/proc/self/statm", "latin1").split(" ")[1]) * memoryPageBytes;
  } catch {
    return 0;
  }
}

function die(): void {
  // Ghostscript's scratch files would outlive it.
  rmSync(folder, { recursive: true, force: true });
  process.kill(process.pid, "SIGKILL");
}
