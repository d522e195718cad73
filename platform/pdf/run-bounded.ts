/** Other programs, run under bounds of their own: processor seconds, memory, a clock, and the caller's signal. */
import { spawn } from "node:child_process";

export type Bounds = {
  cpuSeconds: number;
  /** Address space, not resident memory. */
  memoryBytes: number;
  wallMs: number;
  signal?: AbortSignal | undefined;
  /** The program's folder for scratch files. */
  scratch?: string | undefined;
};

/** How a program ended. `code` is undefined when it was killed, by a bound or by the signal; 127 when it is missing. */
export type Ended = { code: number | undefined; output: string };

// `ulimit` in sh bounds the program before its first instruction; setpriv, where there is one, makes the kernel end it
// together with the thread that started it.
const script = [
  'ulimit -t "$1" && ulimit -v "$2" && shift 2 || exit 126',
  'command -v setpriv >/dev/null && exec setpriv --pdeathsig KILL -- "$@"',
  'exec "$@"',
].join("\n");
const maxOutput = 16_384;

/**
 * Runs a program to its end, without input; what it says on both outputs is kept, up to a bound. Never rejects for
 * what the program does.
 * @throws The signal's reason when it is aborted, once the program is gone; the spawn error when sh itself is missing.
 */
export function runBounded(program: string, args: readonly string[], bounds: Bounds): Promise<Ended> {
  const { signal, cpuSeconds, memoryBytes, wallMs, scratch } = bounds;
  signal?.throwIfAborted();
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  const child = spawn("sh", ["-c", script, "sh", String(cpuSeconds), kilobytes, program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, LC_ALL: "C", ...(scratch === undefined ? {} : { TMPDIR: scratch }) },
  });
  let output = "";
  const hear = (text: string): void => {
    if (output.length < maxOutput) output += text;
  };
  child.stdout.setEncoding("latin1").on("data", hear);
  child.stderr.setEncoding("latin1").on("data", hear);
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
      else resolve({ code: code ?? undefined, output });
    });
  });
}
