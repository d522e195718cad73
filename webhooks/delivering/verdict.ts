import type { DeliveryStatus } from "../../platform/contracts/webhook-delivery.ts";
import type { Attempt } from "./deliver.ts";
import { nextTryAt, readRetryAfter } from "./retry-schedule.ts";
import type { Task } from "./task.ts";

/** What a delivery is after an attempt, and when it is tried again (Unix milliseconds), if it is. */
export type Verdict = { status: DeliveryStatus; dueAt: number | null };

type Judged = {
  task: Pick<Task, "tries" | "earlierTries" | "probe"> & { event: Pick<Task["event"], "type"> };
  attempt: Pick<Attempt, "outcome" | "retryAfter"> & { endpoint: Pick<Attempt["endpoint"], "kind"> };
  now: number;
  random: number;
};

/** A test is tried once; a probe that fails goes back to wait for the next; a 410 waits for the customer. */
export function verdictOn({ task, attempt, now, random }: Judged, delaysMs?: readonly number[]): Verdict {
  const { outcome, retryAfter, endpoint } = attempt;
  if (outcome === "delivered") return { status: "delivered", dueAt: null };
  if (task.event.type === "webhook.test") return { status: "failed", dueAt: null };
  // Nobody can enable the address of a call again: its 410 ends the delivery.
  if (outcome === "gone") return { status: endpoint.kind === "call" ? "failed" : "held", dueAt: null };
  if (task.probe) return { status: "held", dueAt: null };
  const tries = task.tries + 1 - task.earlierTries;
  const dueAt = nextTryAt({ tries, now, random, retryAfterMs: readRetryAfter(retryAfter, now) }, delaysMs);
  return dueAt === null ? { status: "failed", dueAt } : { status: "pending", dueAt };
}
