/** Other programs, run under bounds of their own: processor seconds, memory, a clock, and the caller's signal. */
import { spawn } from "node:child_process";

export type Bounds = {
  cpuSeconds: number;
  memoryBytes: number;
  wallMs: number;
  signal?: AbortSignal | undefined;
};

/** How a program ended. `code` is undefined when it was killed, by a bound or by the signal. */
export type Ended = { code: number | undefined; errorText: string };

// `ulimit` in sh needs no program that a minimal machine lacks, and bounds the program before its first instruction.
const script = 'ulimit -t "$1" && ulimit -v "$2" && shift 2 && exec "$@"';
const maxErrorText = 4096;

/**
 * Runs a program to its end, without input, its output discarded. Never rejects for what the program does.
 * @throws The signal's reason when it is aborted, once the program is gone; the spawn error when sh itself is missing.
 */
export function runBounded(program: string, args: readonly string[], bounds: Bounds): Promise<Ended> {
  const { signal, cpuSeconds, memoryBytes, wallMs } = bounds;
  signal?.throwIfAborted();
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  const child = spawn("sh", ["-c", script, "sh", String(cpuSeconds), kilobytes, program, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C" },
  });
  let errorText = "";
  child.stderr.setEncoding("latin1").on("data", (text: string) => {
    if (errorText.length < maxErrorText) errorText += text;
  });
  // sh has replaced itself by the program: one process to kill, and SIGKILL leaves it no choice.
  const kill = () => child.kill("SIGKILL");
  const clock = setTimeout(kill, wallMs);
  signal?.addEventListener("abort", kill, { once: true });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(clock);
      signal?.removeEventListener("abort", kill);
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code: code ?? undefined, errorText });
    });
  });
}
