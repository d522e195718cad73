import { Failure } from "../platform/contracts/failures.ts";
import type { Leave, Slots } from "./slots.ts";

/** Why an attempt was stopped from outside. Nothing is then told of its outcome. */
const stopped = ["cancelled", "superseded", "stopping"] as const;
export type Stopped = (typeof stopped)[number];

export function isStopped(thrown: unknown): thrown is Stopped {
  return stopped.some((why) => why === thrown);
}

export type Attempt = {
  jobId: string;
  number: number;
  signal: AbortSignal;
  /** Ends the attempt: `Stopped` from outside, or the failure of one of its pieces, so that the others end too. */
  stop: (why: unknown) => void;
  progress: { done: number; total: number } | null;
  /** Does a piece of the job's work in a slot: the first in the slot that the job was begun in, the others in turn. */
  inSlot: <T>(work: () => Promise<T>) => Promise<T>;
};

type Of = { jobId: string; number: number; boundMs: number; slots: Slots; firstSlot: Leave };

/** One attempt of a job while it runs. When its time in slots is over, `signal` aborts with `processing_timeout`. */
export function createAttempt({ jobId, number, boundMs, slots, firstSlot }: Of): Attempt {
  const stopping = new AbortController();
  const { signal } = stopping;
  const clock = createClock(boundMs, () => stopping.abort(tooLong(boundMs)));
  let first: Leave | null = firstSlot;

  async function enter(): Promise<Leave> {
    const own = first;
    first = null;
    return own ?? slots.enter(jobId, signal);
  }

  return {
    jobId,
    number,
    signal,
    stop: (why) => stopping.abort(why),
    progress: null,
    async inSlot(work) {
      const leave = await enter();
      clock.start();
      try {
        return await work();
      } finally {
        clock.stop();
        leave();
      }
    },
  };
}

/** Runs while at least one piece of work does. */
function createClock(boundMs: number, over: () => void) {
  let leftMs = boundMs;
  let running = 0;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    start(): void {
      running += 1;
      if (running > 1) return;
      startedAt = performance.now();
      timer = setTimeout(over, leftMs);
    },
    stop(): void {
      running -= 1;
      if (running > 0) return;
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
    },
  };
}

function tooLong(boundMs: number): Failure {
  const seconds = Math.round(boundMs / 1000);
  const message = `The work took longer than the ${seconds} seconds allowed for it. Send a smaller or simpler file.`;
  return new Failure("processing_timeout", message);
}
