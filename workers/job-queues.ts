import type { z } from "zod";
import type { Bus, Taken } from "../platform/bus.ts";
import { type OperationName, queuedJob } from "../platform/contracts/pdf-job.ts";
import { jobsConsumer } from "../platform/streams.ts";

export type OfferedJob = { operation: OperationName; taken: Taken<z.infer<typeof queuedJob>> };

export type JobQueues = {
  /** What lies ready in one of these queues, each being the first to be asked in turn. */
  ready: (operations: readonly OperationName[]) => Promise<OfferedJob | null>;
  /** Of these, the queues at which nobody waits: only there may something lie ready. */
  unattended: (operations: readonly OperationName[]) => OperationName[];
  /** Waits at these queues. Resolves when one of all the waits has ended, by a message or by time. */
  attend: (operations: readonly OperationName[]) => Promise<void>;
  /** Ends all waits; what was on its way goes back. */
  close: () => Promise<void>;
};

const waitMs = 30_000;

/**
 * The queues of several operations. Each is a consumer of its own, since one consumer with several filters needs a
 * newer server. A wait stays open when other messages come: to withdraw and renew it each time costs more than to hand
 * back the one message that may come to it in vain.
 * @param arrived takes a message that came to a wait, or hands it back
 */
export function createJobQueues(bus: Bus, arrived: (offered: OfferedJob) => void): JobQueues {
  const closing = new AbortController();
  const waits = new Map<OperationName, Promise<void>>();
  let turn = 0;

  async function takeOne(operation: OperationName, limitMs: number): Promise<OfferedJob | null> {
    const taken = await bus.takeOne(jobsConsumer(operation), queuedJob, limitMs, closing.signal);
    return taken === null ? null : { operation, taken };
  }

  async function waitAt(operation: OperationName): Promise<void> {
    const offered = await takeOne(operation, waitMs).finally(() => waits.delete(operation));
    if (offered !== null) arrived(offered);
  }

  return {
    unattended: (operations) => operations.filter((operation) => !waits.has(operation)),
    async ready(operations) {
      turn += 1;
      for (const index of operations.keys()) {
        const operation = operations[(turn + index) % operations.length];
        const offered = operation === undefined ? null : await takeOne(operation, 0);
        if (offered !== null) return offered;
      }
      return null;
    },
    async attend(operations) {
      for (const operation of operations) waits.set(operation, waitAt(operation));
      await Promise.race(waits.values());
    },
    async close() {
      closing.abort();
      await Promise.allSettled(waits.values());
    },
  };
}
