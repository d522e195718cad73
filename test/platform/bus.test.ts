import { connect } from "nats";
import t from "tap";
import { z } from "zod";
import { type Bus, connectBus } from "../../platform/bus.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import { queuedJob } from "../../platform/contracts/pdf-job.ts";
import { defineRequest } from "../../platform/contracts/request.ts";
import { createLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { jobsConsumer } from "../../platform/streams.ts";
import { startNats } from "../support/start-servers.ts";
import { until } from "../support/until.ts";

const merges = jobsConsumer("merge");

t.test("the bus", async (t) => {
  const nats = await startNats(t);
  const connected = async () => {
    const bus = await connectBus({ url: nats.url, service: "test", log: createLog("test", "silent") });
    t.teardown(() => bus.close());
    return bus;
  };
  const [bus, other] = await Promise.all([connected(), connected()]);
  const published = async (by: Bus = bus) => {
    const jobId = newId("job");
    const trail = { requestId: newId("request") };
    const { sequence } = await by.publish("jobs.merge", { jobId }, { messageId: jobId, trail });
    return { jobId, sequence, trail };
  };

  t.test("offers a message until it is acked, with its trail", async (t) => {
    const { jobId, sequence, trail } = await published();
    const first = await bus.takeOne(merges, queuedJob, 1000);
    t.match(first, { message: { jobId }, trail });
    t.equal(await bus.backlog(merges), 1);
    first?.later(0);
    const second = await other.takeOne(merges, queuedJob, 1000);
    t.equal(second?.message.jobId, jobId);
    t.ok(await bus.holds("JOBS", { sequence, messageId: jobId }));
    second?.ack();
    await until("the ack is noted", async () => ((await bus.backlog(merges)) === 0 ? true : null));
    t.notOk(await bus.holds("JOBS", { sequence, messageId: jobId }));
    t.equal(await bus.takeOne(merges, queuedJob, 0), null);
  });

  t.test("a withdrawn wait loses no message, whenever it is withdrawn", async (t) => {
    for (let round = 0; round < 30; round += 1) {
      const withdrawn = new AbortController();
      const waiting = bus.takeOne(merges, queuedJob, 10_000, withdrawn.signal);
      const publishing = published(other);
      if (round % 3 > 0) await publishing;
      if (round % 3 > 1) await new Promise(setImmediate);
      withdrawn.abort();
      const { jobId } = await publishing;
      const taken = (await waiting) ?? (await other.takeOne(merges, queuedJob, 1000));
      t.equal(taken?.message.jobId, jobId);
      taken?.ack();
    }
  });

  t.test("hands over at most as many at once as there is room for", async (t) => {
    const ids = new Set<string>();
    let under = 0;
    let most = 0;
    const stop = await bus.take(merges, queuedJob, 3, async (taken) => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 5));
      ids.add(taken.message.jobId);
      taken.ack();
      under -= 1;
    });
    const sent = await Promise.all(Array.from({ length: 40 }, () => published()));
    await until("all are taken", async () => (ids.size === sent.length ? true : null));
    await stop();
    t.equal(most, 3);
  });

  t.test("drops what does not parse, and goes on", async (t) => {
    await bus.publish("jobs.merge", { nonsense: true }, { messageId: newId("job") });
    const { jobId } = await published();
    t.equal(await bus.takeOne(merges, queuedJob, 1000), null);
    const taken = await bus.takeOne(merges, queuedJob, 1000);
    t.equal(taken?.message.jobId, jobId);
    taken?.ack();
  });

  t.test("answers questions with an answer or the very failure", async (t) => {
    const double = defineRequest("test-double", z.object({ n: z.number() }), z.object({ n: z.number() }));
    const stop = other.answer(double, async ({ n }) => {
      if (n < 0) throw new Failure("overloaded", "Too much.", { retryAfterSeconds: 7 });
      if (n === 0) throw new Error("a secret of the inside");
      return { n: n * 2 };
    });
    t.same(await bus.ask(double, { n: 21 }), { n: 42 });
    await t.rejects(bus.ask(double, { n: -1 }), {
      code: "overloaded",
      message: "Too much.",
      retryAfterSeconds: 7,
    });
    await t.rejects(bus.ask(double, { n: 0 }), { code: "internal_error", message: /^(?!.*secret)/ });
    stop();
    await other.check();
    await t.rejects(bus.ask(double, { n: 1 }), { code: "unavailable" }, "nobody is there");
  });

  t.test("a server that comes back without its store is filled and read as before", async (t) => {
    const admin = await connect({ servers: nats.url });
    const waiting = bus.takeOne(merges, queuedJob, 10_000);
    await (await admin.jetstreamManager()).streams.delete("JOBS");
    await admin.close();
    t.equal(await waiting, null, "a wait at a lost queue ends");
    const { jobId } = await published();
    const taken = await bus.takeOne(merges, queuedJob, 1000);
    t.equal(taken?.message.jobId, jobId);
    taken?.ack();
  });

  t.test("what is open when the server dies ends, and works again when it is back", async (t) => {
    const slow = defineRequest("test-slow", z.object({}), z.object({}));
    other.answer(slow, () => new Promise(() => undefined));
    const wait = bus.takeOne(merges, queuedJob, 60_000);
    const question = t.rejects(bus.ask(slow, {}, { timeoutMs: 60_000 }), { code: "unavailable" });
    await bus.check();
    nats.process.kill("SIGKILL");
    t.equal(await wait, null);
    await question;
    const { jobId } = await until("published again", () => published().catch(() => null));
    const taken = await until("offered", () => bus.takeOne(merges, queuedJob, 1000));
    t.equal(taken.message.jobId, jobId);
  });
});
