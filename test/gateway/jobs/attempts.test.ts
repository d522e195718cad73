import { buffer } from "node:stream/consumers";
import t from "tap";
import type { Event } from "../../../platform/contracts/event.ts";
import {
  claimJob,
  jobHeartbeat,
  type PdfOutcome,
  releaseJob,
  settleJob,
} from "../../../platform/contracts/pdf-job.ts";
import {
  openJobsRoom,
  orderOf,
  outcomeOf,
  startStores,
  type TestRoom,
} from "../../support/open-jobs-room.ts";

t.test("attempts of jobs, answered by two gateways", async (t) => {
  const stores = await startStores(t);
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const room = await openJobsRoom(t, stores, { now });
  await openJobsRoom(t, stores, { now });

  const claim = (jobId: string, worker: string) => room.bus.ask(claimJob, { jobId, worker });
  const beat = (jobId: string, attempt: number) =>
    room.bus.ask(jobHeartbeat, { jobId, attempt, progress: { done: 2, total: 5 } });
  const settle = (jobId: string, attempt: number, outcome: PdfOutcome) =>
    room.bus.ask(settleJob, { jobId, attempt, outcome });
  const submitted = async () => {
    const order = await orderOf(room.blobs);
    await room.submitJob(order);
    return order;
  };

  t.test("give a job to one worker only, however many ask at once", async (t) => {
    const { id, sources } = await submitted();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(id, `worker ${index}`)));
    const granted = answers.filter((answer) => answer.granted);
    t.equal(granted.length, 1);
    t.match(granted[0], { attempt: 1, task: { operation: "merge" }, sources: [...sources] });
    t.match(
      answers.find((answer) => !answer.granted),
      { why: "busy" },
    );
  });

  t.test("tell again a worker that has not heard that it got the job", async (t) => {
    const { id } = await submitted();
    t.match(await claim(id, "A"), { granted: true, attempt: 1 });
    t.match(await claim(id, "A"), { granted: true, attempt: 2 });
    t.equal((await room.db("jobs").where({ id }).first()).lost_attempts, 0, "and count no loss");
  });

  t.test("settle a job once, whatever several attempts make of it", async (t) => {
    const { id } = await submitted();
    await claim(id, "A");
    const outcome = await outcomeOf(
      room.blobs,
      id,
      { pdf_base64: { $file: 0 }, size: 3 },
      Buffer.from("abc"),
    );
    const settled = await Promise.all(Array.from({ length: 10 }, () => settle(id, 1, outcome)));
    t.equal(settled.filter((answer) => answer.settled).length, 1);
    t.same(await claim(id, "B"), { granted: false, why: "settled" });
    const [event, ...others] = await eventsOf(room, id);
    t.same(others, [], "one event announces it");
    t.match(event, { type: "pdf.merge.completed", body: { in: "blob" } });
    t.match(JSON.parse(await bodyOf(room, event)), {
      event: "pdf.merge.completed",
      job_id: id,
      data: { pdf_base64: "YWJj", size: 3 },
      timestamp: now().toISOString(),
    });
    const owners: string[] = [];
    for await (const owner of room.blobs.owners("events", -60_000)) owners.push(owner.id);
    t.same(owners, [event?.id], "what the losers had written is gone");
  });

  t.test("let a superseded attempt change nothing", async (t) => {
    const { id } = await submitted();
    await claim(id, "A");
    clock.ms += 31_000;
    t.match(await claim(id, "B"), { granted: true, attempt: 2 }, "a silent worker's job is taken over");
    t.same(await beat(id, 1), { goOn: false });
    t.same(await beat(id, 2), { goOn: true });
    const outcome = await outcomeOf(room.blobs, id, {}, Buffer.from("old"));
    t.same(await settle(id, 1, outcome), { settled: false });
    t.same(await eventsOf(room, id), []);
    const row = await room.db("jobs").where({ id }).first();
    t.match(row, { status: "processing", attempt: 2, lost_attempts: 1, pages_done: 2, pages_total: 5 });
  });

  t.test("fail a job for good where trying again cannot help", async (t) => {
    const { id } = await submitted();
    await claim(id, "A");
    const failure = { code: "encrypted_pdf", message: "This PDF needs a password." } as const;
    t.same(await settle(id, 1, { ok: false, failure }), { settled: true });
    t.match(await eventsOf(room, id), [{ type: "pdf.merge.failed", body: { in: "message" } }]);
    const [event] = await eventsOf(room, id);
    t.same(JSON.parse(await bodyOf(room, event)).data, { error: failure });
  });

  t.test("try again after a fault of ours, and fail with the third", async (t) => {
    const { id } = await submitted();
    const failure = { code: "internal_error", message: "Something failed on our side." } as const;
    for (const attempt of [1, 2]) {
      t.match(await claim(id, "A"), { granted: true, attempt });
      await settle(id, attempt, { ok: false, failure });
      t.equal((await room.db("jobs").where({ id }).first()).status, "queued");
    }
    await claim(id, "A");
    await settle(id, 3, { ok: false, failure });
    t.match(await eventsOf(room, id), [{ type: "pdf.merge.failed" }]);
  });

  t.test("take a job back from a worker that stops, as no loss", async (t) => {
    const { id } = await submitted();
    await claim(id, "A");
    t.same(await room.bus.ask(releaseJob, { jobId: id, attempt: 1 }), { released: true });
    t.same(await room.bus.ask(releaseJob, { jobId: id, attempt: 1 }), { released: false });
    t.match(await room.db("jobs").where({ id }).first(), { status: "queued", lost_attempts: 0 });
    t.match(await claim(id, "B"), { granted: true, attempt: 2 });
  });

  t.test("drop what is asked about a job that is not there", async (t) => {
    t.same(await claim("job_01kb2v0f5w8x3t9q6r7y1n2m4p", "A"), { granted: false, why: "settled" });
  });
});

async function eventsOf(room: TestRoom, jobId: string): Promise<Event[]> {
  const rows = await room.db("outbox").select("payload");
  return rows.map(({ payload }) => JSON.parse(payload) as Event).filter((event) => event.jobId === jobId);
}

async function bodyOf(room: TestRoom, event: Event | undefined): Promise<string> {
  if (event === undefined) throw new Error("there is no event");
  return event.body.in === "message"
    ? event.body.json
    : (await buffer(room.blobs.read(event.body.blob))).toString();
}
