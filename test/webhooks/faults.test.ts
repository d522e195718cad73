import t from "tap";
import { runFaults } from "../support/webhook-faults.ts";

t.setTimeout(90_000);

t.test("receivers that fail at random get every event, each once answered with success", async (t) => {
  const { seconds: _, expected, ...rest } = await runFaults(t, { seed: 7, events: 80, kills: [] });
  t.ok(expected > 80, `${expected} deliveries were due`);
  t.same(rest, { lost: [], strangers: [], duplicates: 0, gaps: [] });
});

t.test("whatever is killed, every event arrives at every webhook that it matches", async (t) => {
  const report = await runFaults(t, {
    seed: 20261121,
    events: 150,
    kills: ["webhooks", "nats-server", "mariadbd"],
  });
  const { seconds: _, duplicates, expected, ...losses } = report;
  t.same(losses, { lost: [], strangers: [], gaps: [] });
  t.ok(expected > 150, `${expected} deliveries were due`);
  // What was under way at a kill comes again; nothing else does.
  t.ok(duplicates <= 100, `${duplicates} came twice`);
});
