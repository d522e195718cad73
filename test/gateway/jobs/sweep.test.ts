import { connect } from "nats";
import t from "tap";
import { claimJob, queuedJob } from "../../../platform/contracts/pdf-job.ts";
import { jobsConsumer } from "../../../platform/streams.ts";
import { openJobsRoom, orderOf, startStores, type TestRoom } from "../../support/open-jobs-room.ts";
import { until } from "../../support/until.ts";

t.test("the sweep of forgotten jobs", async (t) => {
  const stores = await startStores(t);
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const room = await openJobsRoom(t, stores, { now });
  const { bus, db } = room;
  const merges = jobsConsumer("merge");

  const submitted = async () => {
    const order = await orderOf(room.blobs);
    await room.submitJob(order);
    return order.id;
  };
  /** Takes the next message, as a worker that dies before it claims. */
  const taken = async () => {
    const next = await bus.takeOne(merges, queuedJob, 2000);
    next?.ack();
    return next?.message.jobId ?? null;
  };
  const begun = async () => {
    const jobId = (await taken()) ?? "";
    await bus.ask(claimJob, { jobId, worker: "B" });
    return jobId;
  };

  t.test("offers a job again whose message was lost with its stream", async (t) => {
    const id = await submitted();
    await noted(room, id);
    const nats = await connect({ servers: stores.natsUrl });
    const manager = await nats.jetstreamManager();
    await manager.streams.delete("JOBS");
    await nats.close();
    clock.ms += 3000;
    await room.sweep();
    t.equal(await begun(), id);
  });

  t.test("offers a job that was never offered, its gateway having died after the commit", async (t) => {
    const id = await submitted();
    t.equal(await taken(), id);
    await db("jobs").where({ id }).update({ message_id: null, message_sequence: null });
    clock.ms += 3000;
    await room.sweep();
    t.equal(await begun(), id);
  });

  t.test("offers no job twice whose message still waits", async (t) => {
    const id = await submitted();
    await noted(room, id);
    clock.ms += 3000;
    await room.sweep();
    t.equal(await begun(), id);
    t.equal(await bus.takeOne(merges, queuedJob, 0), null);
  });

  t.test(
    "gives a job to another worker when nothing is heard of its own, and fails it the third time",
    async (t) => {
      const id = await submitted();
      for (const attempt of [1, 2, 3]) {
        t.match(await bus.ask(claimJob, { jobId: id, worker: `worker ${attempt}` }), {
          granted: true,
          attempt,
        });
        clock.ms += 31_000;
        await room.sweep();
        t.equal(await statusOf(room, id), attempt < 3 ? "queued" : "failed");
      }
      const payloads = (await db("outbox").select("payload")).map(({ payload }) => JSON.parse(payload));
      t.match(
        payloads.filter((event) => event.jobId === id),
        [{ type: "pdf.merge.failed" }],
      );
    },
  );

  t.test("does not take every job for lost when it has been away itself", async (t) => {
    const id = await submitted();
    await bus.ask(claimJob, { jobId: id, worker: "A" });
    clock.ms += 60_000;
    const other = await openJobsRoom(t, stores, { now });
    await other.sweep();
    t.equal(await statusOf(room, id), "processing", "the first sweep after a start lets workers speak first");
    clock.ms += 11_000;
    await other.sweep();
    t.equal(await statusOf(room, id), "queued");
  });
});

/** Resolves once the row knows where its message lies. */
function noted({ db }: TestRoom, id: string): Promise<unknown> {
  return until("the message is noted", async () => (await db("jobs").where({ id }).first()).message_id);
}

async function statusOf({ db }: TestRoom, id: string): Promise<string> {
  return (await db("jobs").where({ id }).first()).status;
}
