/**
 * The whole fault run: 10,000 events to five receivers that fail at random, while webhooks, broker and database are
 * killed again and again. BENCH_SEED and BENCH_EVENTS change the run.
 */
import type { Test } from "tap";
import { runFaults } from "../support/webhook-faults.ts";

const ends: (() => unknown)[] = [];
const owner = { teardown: (end: () => unknown) => ends.unshift(end) } as unknown as Test;
const names = ["webhooks", "nats-server", "mariadbd"] as const;
const kills = Array.from({ length: 21 }, (_, index) => names[index % names.length] ?? "webhooks");

try {
  const { lost, strangers, gaps, ...figures } = await runFaults(owner, {
    seed: Number(process.env.BENCH_SEED ?? 20261121),
    events: Number(process.env.BENCH_EVENTS ?? 10_000),
    kills,
  });
  console.table([
    { ...figures, kills: kills.length, lost: lost.length, strangers: strangers.length, gaps: gaps.length },
  ]);
} finally {
  for (const end of ends) await end();
}
