import type { z } from "zod";
import type { Bus, Taken } from "../platform/bus.ts";
import { type OperationName, queuedJob } from "../platform/contracts/pdf-job.ts";
import { jobsConsumer } from "../platform/streams.ts";

export type OfferedJob = { operation: OperationName; taken: Taken<z.infer<typeof queuedJob>> };

export type NextJob = {
  /** What lies ready, of each operation in turn. */
  ready: (operations: readonly OperationName[]) => Promise<OfferedJob | null>;
  /** The first to come while the signal is not aborted. */
  coming: (operations: readonly OperationName[], signal: AbortSignal) => Promise<OfferedJob | null>;
};

const waitMs = 30_000;

/**
 * Takes one job's message from the queues of several operations. Each is a consumer of its own, since one consumer
 * with several filters needs a newer server. No more than one message is kept: a second that came at the same time
 * goes back at once, to a worker that can begin it.
 */
export function createNextJob(bus: Bus): NextJob {
  let turn = 0;

  async function takeOne(operation: OperationName, limitMs: number, signal?: AbortSignal) {
    const taken = await bus.takeOne(jobsConsumer(operation), queuedJob, limitMs, signal);
    return taken === null ? null : { operation, taken };
  }

  return {
    async ready(operations) {
      turn += 1;
      for (const index of operations.keys()) {
        const operation = operations[(turn + index) % operations.length];
        const offered = operation === undefined ? null : await takeOne(operation, 0);
        if (offered !== null) return offered;
      }
      return null;
    },
    async coming(operations, signal) {
      const found = new AbortController();
      const until = AbortSignal.any([signal, found.signal]);
      const { promise, resolve } = Promise.withResolvers<OfferedJob | null>();
      const taking = operations.map(async (operation) => {
        const offered = await takeOne(operation, waitMs, until);
        if (offered === null) return;
        if (found.signal.aborted) return offered.taken.later(0);
        found.abort();
        resolve(offered);
      });
      void Promise.allSettled(taking).then(() => resolve(null));
      return promise;
    },
  };
}
