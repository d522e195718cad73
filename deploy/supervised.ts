import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export type Supervised = {
  name: string;
  pid: () => number | undefined;
  /** Sends a signal to the process as it is now; it is started again when it dies of it. */
  kill: (signal: NodeJS.Signals) => void;
  /** Asks it to end, and ends it after `graceMs`. It is not started again. */
  stop: () => Promise<void>;
};

type Options = {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Services get a channel to us: they stop when it closes, so that none outlives a launcher that was killed. */
  channel?: boolean;
  onLine: (line: string) => void;
  /** What a child with a channel sends. */
  onMessage?: (message: unknown) => void;
  onRestart: (died: { code: number | null; signal: string | null }) => void;
  graceMs?: number;
};

const firstPauseMs = 250;
const longestPauseMs = 5000;

/** Runs a program and starts it again whenever it dies, after a pause that grows while it keeps dying. */
export function supervise(options: Options): Supervised {
  const {
    name,
    command,
    args,
    env,
    channel = false,
    onLine,
    onMessage,
    onRestart,
    graceMs = 30_000,
  } = options;
  let child: ChildProcess;
  let pauseMs = firstPauseMs;
  let stopping = false;
  let pending: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = Date.now();
    child = spawn(command, args, {
      env,
      stdio: ["ignore", "pipe", "pipe", ...(channel ? ["ipc" as const] : [])],
      // A process group of its own: a terminal's Ctrl-C reaches the launcher alone, which stops all in order.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", onLine);
    }
    if (onMessage !== undefined) child.on("message", onMessage);
    child.once("error", (error) => onLine(`${name}: ${error.message}`));
    child.once("close", (code, signal) => {
      if (stopping) return;
      onRestart({ code, signal });
      pauseMs = Date.now() - startedAt > 10_000 ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      pending = setTimeout(start, pauseMs);
    });
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(pending);
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    const tooLate = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await ended;
    clearTimeout(tooLate);
  }

  start();
  return { name, pid: () => child.pid, kill: (signal) => void child.kill(signal), stop };
}

/**
 * The same command, ended by the kernel when its parent dies (prctl(2), PR_SET_PDEATHSIG): servers that know nothing
 * of us must not outlive us.
 */
export function tiedToParent(command: string, args: readonly string[]): { command: string; args: string[] } {
  return { command: "setpriv", args: ["--pdeathsig", "TERM", command, ...args] };
}
