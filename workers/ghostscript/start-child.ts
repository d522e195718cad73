/** The parent's end of a Ghostscript child: its pipes, its one job at a time, its end. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endOfRun, type GhostscriptReply, type GhostscriptRequest } from "./messages.ts";
import type { GhostscriptJob, GhostscriptOutcome } from "./slot.ts";

export type GhostscriptChild = {
  run: (job: GhostscriptJob) => Promise<GhostscriptOutcome>;
  gone: () => boolean;
  jobs: () => number;
  /** Resolves once the process is gone and its folder removed. */
  kill: () => Promise<void>;
};

const maxWords = 16_384;

export function startGhostscriptChild(): GhostscriptChild {
  // Ghostscript lets a document read all of the temporary folder: this one holds nothing else.
  const folder = mkdtempSync(join(tmpdir(), "ghostscript-"));
  const child = fork(fileURLToPath(new URL("./child.ts", import.meta.url)), {
    stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
    env: { TMPDIR: folder, LC_ALL: "C" },
    execArgv: [],
  });
  let gone = false;
  let jobs = 0;
  const exited = new Promise<string | undefined>((resolve) => {
    child.once("error", () => resolve(undefined));
    child.once("exit", (_code, signal) => resolve(signal ?? undefined));
  }).then((signal) => {
    gone = true;
    rmSync(folder, { recursive: true, force: true });
    return signal;
  });
  const ready = nextReply(child);
  keepThreadAlive(child, false);
  return {
    gone: () => gone,
    jobs: () => jobs,
    async kill() {
      if (!gone) keepThreadAlive(child, true);
      child.kill("SIGKILL");
      await exited;
    },
    async run({ signal, ...request }) {
      jobs += 1;
      const kill = () => child.kill("SIGKILL");
      signal?.addEventListener("abort", kill, { once: true });
      keepThreadAlive(child, true);
      const lost = exited.then((by): GhostscriptOutcome => ({ kind: "lost", signal: by }));
      const outcome = await Promise.race([lost, runOnce(child, ready, request)]);
      if (!gone) keepThreadAlive(child, false);
      signal?.removeEventListener("abort", kill);
      return outcome;
    },
  };
}

async function runOnce(
  child: ChildProcess,
  ready: Promise<GhostscriptReply>,
  request: GhostscriptRequest,
): Promise<GhostscriptOutcome> {
  const started = await ready;
  if (started.kind === "ready" && !started.addon) return { kind: "missing" };
  const words = Promise.all([wordsOfRun(child.stdout as Socket), wordsOfRun(child.stderr as Socket)]);
  const reply = nextReply(child);
  // A child that has just died is noticed by its exit, not here.
  child.send(request, () => {});
  const done = await reply;
  return { kind: "finished", ok: done.kind === "done" && done.ok, output: (await words).join("") };
}

function nextReply(child: ChildProcess): Promise<GhostscriptReply> {
  return new Promise((resolve) => child.once("message", (message) => resolve(message as GhostscriptReply)));
}

/** What the child writes until the mark that ends a run; the beginning of it, where it is long. */
function wordsOfRun(stream: Socket): Promise<string> {
  return new Promise((resolve) => {
    let words = "";
    let tail = "";
    const take = (data: Buffer): void => {
      const text = data.toString("latin1");
      tail = (tail + text).slice(-endOfRun.length);
      if (words.length < maxWords) words += text;
      if (tail !== endOfRun) return;
      stream.off("data", take);
      resolve(words.replace(endOfRun, ""));
    };
    stream.on("data", take);
  });
}

/** Between jobs the child must not hold up the end of its thread. */
function keepThreadAlive(child: ChildProcess, alive: boolean): void {
  const handles = [child, child.channel, ...child.stdio.slice(1)] as ({
    ref?: () => void;
    unref?: () => void;
  } | null)[];
  for (const handle of handles) {
    if (alive) handle?.ref?.();
    else handle?.unref?.();
  }
}
