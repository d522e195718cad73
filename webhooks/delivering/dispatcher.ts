import type { Logger } from "../../platform/log.ts";
import { createBatch } from "../batch.ts";
import type { Attempt, Deliver } from "./deliver.ts";
import { createLanes, type Ended, type LaneName } from "./lanes.ts";
import type { Result } from "./record-results.ts";
import type { Task } from "./task.ts";
import { verdictOn } from "./verdict.ts";

type Deps = {
  deliver: Deliver;
  /** Gives back what may be begun now that these results are written. */
  recordResults: (results: readonly Result[]) => Promise<Task[]>;
  /** Told of results once they are written. */
  noteHealth: (results: readonly Result[]) => Promise<void>;
  /** Puts back what may not be sent: its endpoint is disabled or gone. */
  letGo: (task: Task) => Promise<void>;
  /** The database may have more for this process. */
  wantMore: () => void;
  observe: (task: Task, attempt: Attempt) => void;
  log: Logger;
  retryDelaysMs: readonly number[];
  slots: Record<LaneName, number>;
  perEndpoint: number;
};

export type Dispatcher = {
  add: (tasks: readonly Task[]) => void;
  /** Makes one attempt past the queue; resolves when what came of it is written. */
  attemptNow: (task: Task) => Promise<void>;
  room: (endpointId: string) => number;
  /** There is more for this endpoint in the database than there was room for. */
  left: (endpointId: string) => void;
  /** Begins nothing more; resolves when all that was begun is written. */
  close: () => Promise<void>;
  counts: () => { queued: number; active: number; unwritten: number };
};

const mostQueued = { perEndpoint: 128, inAll: 4000 };
/** Results that wait for a database that is away; above this nothing new is begun. */
const mostUnwritten = 2000;
const tryAgainMs = 1000;

/** Takes deliveries from the process's hand through their attempts into the database. */
export function createDispatcher(deps: Deps): Dispatcher {
  const { deliver, letGo, log, wantMore } = deps;
  const unwritten = new Set<Promise<void>>();
  const write = createBatch<Result>(async (results) => {
    add(await deps.recordResults(results));
    await deps.noteHealth(results).catch((err) => log.warn({ err }, "health of endpoints was not noted"));
  }, 200);
  const { slots, perEndpoint } = deps;
  const withMore = new Set<string>();
  let closing = false;
  const lanes = createLanes({
    ...{ slots, perEndpoint, mostQueued },
    ranLow: (endpointId) => {
      if (withMore.delete(endpointId)) wantMore();
    },
    // The writing is not waited for: the slot is free for the next attempt meanwhile.
    run: async (task) => (await tryOnce(task)).ended,
  });

  async function tryOnce(task: Task): Promise<{ ended: Ended; written: Promise<void> }> {
    const attempt = await untilDone(() => deliver(task), log);
    if (attempt === null) {
      await untilDone(() => letGo(task), log);
      return { ended: "answered", written: Promise.resolve() };
    }
    deps.observe(task, attempt);
    const judged = { task, attempt, now: Date.now(), random: Math.random() };
    const verdict = verdictOn(judged, deps.retryDelaysMs);
    const written = untilDone(() => write({ task, attempt, verdict }), log);
    unwritten.add(written);
    void written.then(() => unwritten.delete(written));
    return { ended: attempt.outcome === "timed_out" ? "hung" : "answered", written };
  }

  function add(tasks: readonly Task[]): void {
    for (const task of tasks) lanes.add(task);
  }

  async function close(): Promise<void> {
    closing = true;
    lanes.takeBack();
    await lanes.idle();
    await Promise.all(unwritten);
  }

  return {
    add,
    attemptNow: async (task) => (await tryOnce(task)).written,
    room: (endpointId) => (closing || unwritten.size > mostUnwritten ? 0 : lanes.room(endpointId)),
    left: (endpointId) => void withMore.add(endpointId),
    close,
    counts: () => ({ ...lanes.counts(), unwritten: unwritten.size }),
  };
}

/** What an attempt has found out is kept until the database takes it: it has been sent, and must not be lost. */
async function untilDone<Result>(work: () => Promise<Result>, log: Logger): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (err) {
      log.warn({ err }, "delivery could not go on; trying again");
      await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
    }
  }
}
