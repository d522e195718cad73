import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import t from "tap";
import { removeExpiredJobs, removeOrphans } from "../../../gateway/jobs/retention.ts";
import { claimJob, settleJob } from "../../../platform/contracts/pdf-job.ts";
import { createLog } from "../../../platform/log.ts";
import { newId } from "../../../platform/new-id.ts";
import { openJobsRoom, orderOf, outcomeOf, startStores } from "../../support/open-jobs-room.ts";

const hour = 3600 * 1000;

t.test("how long jobs and their files are kept", async (t) => {
  const stores = await startStores(t);
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const { bus, blobs, db, submitJob } = await openJobsRoom(t, stores, { now });
  const log = createLog("test", "silent");
  const foldersOf = (kind: string): Promise<string[]> =>
    readdir(join(stores.dataDir, "blobs", kind)).catch(() => []);

  t.test("24 hours after the end, and not a minute less", async (t) => {
    const order = await orderOf(blobs);
    await submitJob(order);
    await bus.ask(claimJob, { jobId: order.id, worker: "A" });
    clock.ms += 3 * hour;
    const outcome = await outcomeOf(blobs, order.id, {}, Buffer.from("result"));
    await bus.ask(settleJob, { jobId: order.id, attempt: 1, outcome });
    clock.ms += 24 * hour - 60_000;
    await removeExpiredJobs({ db, blobs, log, now });
    t.equal((await db("jobs").where({ id: order.id })).length, 1);
    clock.ms += 60_000;
    await removeExpiredJobs({ db, blobs, log, now });
    t.equal((await db("jobs").where({ id: order.id })).length, 0);
    t.notOk((await foldersOf("jobs")).includes(order.id), "its input and result are gone");
    t.equal((await foldersOf("events")).length, 1, "what is to be delivered is not");
  });

  t.test("files without a job are removed once no upload can still be going on", async (t) => {
    const kept = await orderOf(blobs);
    await submitJob(kept);
    const [orphan, young] = [newId("job"), newId("job")];
    const upload = newId("request");
    await blobs.put({ kind: "jobs", id: orphan }, Readable.from([Buffer.from("x")]));
    await blobs.put({ kind: "jobs", id: young }, Readable.from([Buffer.from("x")]));
    await blobs.put({ kind: "uploads", id: upload }, Readable.from([Buffer.from("x")]));
    const longAgo = new Date(Date.now() - 3 * hour);
    for (const folder of [`jobs/${kept.id}`, `jobs/${orphan}`, `uploads/${upload}`])
      await utimes(join(stores.dataDir, "blobs", folder), longAgo, longAgo);
    await removeOrphans({ db, blobs, log, now });
    t.same((await foldersOf("jobs")).sort(), [kept.id, young].sort());
    t.same(await foldersOf("uploads"), []);
  });
});
