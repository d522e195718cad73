import type { Metrics } from "../../platform/metrics.ts";

/** What operators watch of jobs. */
export function jobMetrics(metrics: Metrics) {
  return {
    ended: metrics.counter({
      name: "jobs_ended_total",
      help: "Jobs that ended, by operation and outcome: completed, or the failure's code.",
      labels: ["operation", "outcome"],
    }),
    queued: metrics.gauge({
      name: "jobs_queued",
      help: "Jobs that wait for a worker, of all gateways, as of the last sweep.",
    }),
    offeredAgain: metrics.counter({
      name: "jobs_offered_again_total",
      help: "Jobs whose message or worker was lost.",
    }),
  };
}
export type JobMetrics = ReturnType<typeof jobMetrics>;
