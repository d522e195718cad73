import type { Logger } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Attempt } from "./delivering/deliver.ts";
import type { Task } from "./delivering/task.ts";

/** Makes attempts visible: numbers for the operator, one log line each. */
export function observeAttempts(metrics: Metrics, log: Logger) {
  const attempts = metrics.counter({
    name: "webhook_attempts_total",
    help: "Attempts to deliver an event, by what came of them.",
    labels: ["outcome"],
  });
  const seconds = metrics.histogram({
    name: "webhook_attempt_seconds",
    help: "How long attempts took.",
    buckets: [0.01, 0.05, 0.1, 0.3, 1, 3, 10, 15, 30, 150],
  });
  const work = metrics.gauge({
    name: "webhook_deliveries_in_hand",
    help: "Deliveries that this process has in hand, by how far they are.",
    labels: ["state"],
  });

  function observe(task: Task, attempt: Attempt): void {
    const { outcome, statusCode, durationMs, error } = attempt;
    attempts.inc({ outcome });
    seconds.observe(durationMs / 1000);
    const { deliveryId, endpointId, event, tries } = task;
    const fields = {
      deliveryId,
      endpointId,
      eventId: event.id,
      attempt: tries + 1,
      outcome,
      statusCode,
      durationMs,
    };
    if (outcome === "delivered") log.info(fields, "event delivered");
    else if (outcome === "internal_error") log.error({ ...fields, err: error }, "attempt failed on our side");
    // Not the error itself: the client's holds the whole request.
    else log.info({ ...fields, why: error instanceof Error ? error.message : undefined }, "attempt failed");
  }

  /** Reads the numbers whenever they are asked for. */
  function countWork(counts: () => Record<string, number>): void {
    Object.assign(work, {
      collect: () => {
        for (const [state, count] of Object.entries(counts())) work.set({ state }, count);
      },
    });
  }

  return { observe, countWork };
}
