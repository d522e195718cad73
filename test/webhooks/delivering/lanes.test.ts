import t from "tap";
import { createLanes, type Ended } from "../../../webhooks/delivering/lanes.ts";
import type { Task } from "../../../webhooks/delivering/task.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lanes whose attempts end when the test says so. */
function lanesOf(t: Partial<Parameters<typeof createLanes>[0]> = {}) {
  const running: { task: Task; end: (ended: Ended) => Promise<void> }[] = [];
  const low: string[] = [];
  const lanes = createLanes({
    slots: { first: 100, retry: 100 },
    perEndpoint: 2,
    mostQueued: { perEndpoint: 5, inAll: 1000 },
    run: (task) =>
      new Promise((resolve) => {
        const one = {
          task,
          end: async (ended: Ended) => {
            running.splice(running.indexOf(one), 1);
            resolve(ended);
            await turn();
          },
        };
        running.push(one);
      }),
    ranLow: (id) => low.push(id),
    ...t,
  });
  const names = () => running.map(({ task }) => task.deliveryId);
  return { lanes, running, names, low };
}

function task(endpointId: string, deliveryId: string, tries = 0): Task {
  return {
    ...{ deliveryId, endpointId, sequence: 1, tries, earlierTries: 0, orderKey: null, callSecret: null },
    ...{
      probe: false,
      event: { id: "", type: "pdf.ocr.failed", jobId: null, body: { in: "message", json: "" } },
    },
  };
}

t.test("lanes", async (t) => {
  t.test("give an endpoint no more than its share at once, in order", async (t) => {
    const { lanes, names, running } = lanesOf();
    for (const id of ["a1", "a2", "a3"]) lanes.add(task("a", id));
    lanes.add(task("b", "b1"));
    t.same(names(), ["a1", "a2", "b1"]);
    await running[0]?.end("answered");
    t.same(names(), ["a2", "b1", "a3"]);
  });

  t.test("leave an endpoint that hangs one attempt, until it answers", async (t) => {
    const { lanes, names, running } = lanesOf();
    for (const id of ["a1", "a2", "a3", "a4", "a5"]) lanes.add(task("a", id));
    await running[0]?.end("hung");
    await running[0]?.end("hung");
    t.same(names(), ["a3"]);
    await running[0]?.end("answered");
    t.same(names(), ["a4", "a5"]);
  });

  t.test("hold up no fresh event by retries, however many", async (t) => {
    const { lanes, names } = lanesOf({ slots: { first: 1, retry: 2 } });
    for (const id of ["r1", "r2", "r3", "r4"]) lanes.add(task(`endpoint-${id}`, id, 3));
    lanes.add(task("fresh", "f1"));
    t.same(names(), ["r1", "r2", "f1"]);
  });

  t.test("let endpoints take turns where slots are few", async (t) => {
    const { lanes, names, running } = lanesOf({ slots: { first: 1, retry: 1 } });
    for (const id of ["a1", "a2", "a3"]) lanes.add(task("a", id));
    for (const id of ["b1", "b2"]) lanes.add(task("b", id));
    const order: string[] = [];
    while (running.length > 0) {
      order.push(...names());
      await running[0]?.end("answered");
    }
    t.ok(order.indexOf("b1") < order.indexOf("a3"));
  });

  t.test("say how much room is left, and when an endpoint has little more", async (t) => {
    const { lanes, low, running } = lanesOf({ perEndpoint: 1 });
    t.equal(lanes.room("a"), 5);
    for (const id of ["a1", "a2"]) lanes.add(task("a", id));
    t.equal(lanes.room("a"), 4);
    t.same(low, []);
    await running[0]?.end("answered");
    await running[0]?.end("answered");
    t.same(low, ["a", "a"]);
  });

  t.test("give back what has not begun, and are idle when the rest has ended", async (t) => {
    const { lanes, running } = lanesOf({ perEndpoint: 1 });
    for (const id of ["a1", "a2", "a3"]) lanes.add(task("a", id));
    t.same(
      lanes.takeBack().map(({ deliveryId }) => deliveryId),
      ["a2", "a3"],
    );
    const idle = lanes.idle();
    await running[0]?.end("answered");
    await idle;
    t.same(lanes.counts(), { queued: 0, active: 0 });
  });
});
