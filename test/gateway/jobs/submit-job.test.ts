import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import t from "tap";
import { claimJob, jobDone, settleJob } from "../../../platform/contracts/pdf-job.ts";
import { newId } from "../../../platform/new-id.ts";
import {
  openJobsRoom,
  orderOf,
  outcomeOf,
  startStores,
  type TestRoom,
} from "../../support/open-jobs-room.ts";

t.test("submitting a job", async (t) => {
  const stores = await startStores(t);
  const room = await openJobsRoom(t, stores);
  const { bus, blobs, db } = room;

  t.test("answers at once when the call is asynchronous", async (t) => {
    const order = await orderOf(blobs);
    t.match(await room.submitJob(order), { pending: { id: order.id, status: "queued", result: null } });
  });

  t.test("waits for the end, and answers with the result", async (t) => {
    const order = await orderOf(blobs, { respondAsync: false });
    const answer = room.submitJob(order);
    await done(room, order.id);
    t.match(await answer, { finished: { id: order.id, status: "completed", result: { fileSizes: [3] } } });
  });

  t.test(
    "takes small data with the outcome itself, and answers and announces it like any other",
    async (t) => {
      const order = await orderOf(blobs, { respondAsync: false });
      const answer = room.submitJob(order);
      await claimed(room, order.id);
      const result = { data: { text: "Invoice No. 7", pdf_base64: { $file: 0 } } };
      const { files } = await outcomeOf(blobs, order.id, {}, Buffer.from("pdf"));
      const outcome = { ok: true as const, result, files, fileSizes: [3] };
      await bus.ask(settleJob, { jobId: order.id, attempt: 1, outcome });
      t.match(await answer, { finished: { id: order.id, result: { result } } });
      const { payload } = await db("outbox").where("payload", "like", `%${order.id}%`).first();
      const announced = await json(blobs.read(JSON.parse(payload).body.blob));
      t.match(announced, { data: { text: "Invoice No. 7", pdf_base64: "cGRm" } });
    },
  );

  t.test("gives a job to a worker that asks while it is being made, as its first attempt", async (t) => {
    const attempts = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const order = await orderOf(blobs, { files: [] });
        const [granted] = await Promise.all([claimed(room, order.id), room.submitJob(order)]);
        return granted.attempt;
      }),
    );
    t.same(new Set(attempts), new Set([1]));
  });

  t.test("stores a result of 20,000 files, whose sizes alone are over 64 kB", async (t) => {
    const order = await orderOf(blobs, { respondAsync: false });
    const answer = room.submitJob(order);
    await claimed(room, order.id);
    const outcome = await outcomeOf(blobs, order.id, { files_count: 20_000 }, Buffer.from("pdf"));
    const fileSizes = Array.from({ length: 20_000 }, () => 48_213);
    await bus.ask(settleJob, { jobId: order.id, attempt: 1, outcome: { ...outcome, fileSizes } });
    t.match(await answer, { finished: { id: order.id, result: { fileSizes } } });
  });

  t.test("sees the end also when nobody wakes it", async (t) => {
    const order = await orderOf(blobs, { respondAsync: false });
    const quiet = await openJobsRoom(t, stores);
    // The wake-up of this job goes to an old subject: as good as lost.
    quiet.bus.listen = () => () => undefined;
    const answer = quiet.submitJob(order);
    await done(room, order.id);
    t.match(await answer, { finished: { id: order.id } });
  });

  t.test("answers with the job when it is not done in time, and when the caller has gone", async (t) => {
    const hasty = await openJobsRoom(t, stores, { waitMs: 100 });
    const slow = await hasty.submitJob(await orderOf(blobs, { respondAsync: false }));
    t.match(slow, { pending: { status: "queued" } });
    const gone = new AbortController();
    const answer = room.submitJob(await orderOf(blobs, { respondAsync: false, signal: gone.signal }));
    gone.abort();
    t.match(await answer, { pending: { status: "queued" } });
  });

  t.test("fails as the job failed", async (t) => {
    const order = await orderOf(blobs, { respondAsync: false });
    const answer = t.rejects(room.submitJob(order), { code: "encrypted_pdf", message: "It is locked." });
    await claimed(room, order.id);
    const failure = { code: "encrypted_pdf", message: "It is locked." } as const;
    await bus.ask(settleJob, { jobId: order.id, attempt: 1, outcome: { ok: false, failure } });
    await answer;
  });

  t.test("is refused when too many wait, of the account or in all, and leaves no file", async (t) => {
    const caller = { accountId: newId("account") };
    const inAll = (await db("jobs").where({ status: "queued" })).length;
    const busy = await openJobsRoom(t, stores, { limits: { ofAll: inAll + 2, ofAccount: 1 } });
    await busy.submitJob(await orderOf(blobs, { caller }));
    const refused = await orderOf(blobs, { caller });
    await t.rejects(busy.submitJob(refused), { code: "overloaded", retryAfterSeconds: 15 });
    t.notOk((await readdir(join(stores.dataDir, "blobs/jobs"))).includes(refused.id));
    await busy.submitJob(await orderOf(blobs));
    await t.rejects(busy.submitJob(await orderOf(blobs)), { code: "overloaded" });
  });

  t.test("keeps the call's webhook secret encrypted", async (t) => {
    const webhook = { url: "https://example.com/hook", secret: "a very secret secret" };
    const order = await orderOf(blobs, { webhook });
    await room.submitJob(order);
    const { call_address: stored } = await db("jobs").where({ id: order.id }).first();
    t.match(JSON.parse(stored), { url: webhook.url, sealedSecret: /^v1\./ });
    t.notMatch(stored, webhook.secret);
  });

  t.test("wakes no one else's call", async (t) => {
    const order = await orderOf(blobs, { respondAsync: false });
    const answer = room.submitJob(order);
    bus.notify(jobDone.subject(newId("job")), { jobId: newId("job") });
    bus.notify(jobDone.subject(order.id), { jobId: order.id });
    await done(room, order.id);
    t.match(await answer, { finished: { id: order.id } }, "and a wake-up that comes too early does no harm");
  });
});

/** Claims the job as soon as it can be had. */
async function claimed({ bus }: TestRoom, jobId: string) {
  for (;;) {
    const answer = await bus.ask(claimJob, { jobId, worker: "A" });
    if (answer.granted) return answer;
  }
}

async function done(room: TestRoom, jobId: string): Promise<void> {
  await claimed(room, jobId);
  const outcome = await outcomeOf(room.blobs, jobId, { pdf_base64: { $file: 0 } }, Buffer.from("pdf"));
  await room.bus.ask(settleJob, { jobId, attempt: 1, outcome });
}
