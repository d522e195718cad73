import type { Metrics } from "../platform/metrics.ts";

/** What operators watch of a worker. */
export function attemptMetrics(metrics: Metrics, busySlots: () => number) {
  const busy = metrics.gauge({ name: "worker_slots_busy", help: "Slots in which something is worked on." });
  const seconds = metrics.histogram({
    name: "job_attempt_seconds",
    help: "Time from claim to settled, by operation and how the attempt ended.",
    labels: ["operation", "ended"],
    buckets: [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1200],
  });
  return {
    attemptEnded: (operation: string, ended: string, durationMs: number): void => {
      seconds.observe({ operation, ended }, durationMs / 1000);
      busy.set(busySlots());
    },
    attemptBegun: (): void => busy.set(busySlots()),
  };
}
export type AttemptMetrics = ReturnType<typeof attemptMetrics>;
