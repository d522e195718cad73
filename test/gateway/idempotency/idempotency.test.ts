import { randomBytes } from "node:crypto";
import t from "tap";
import { fingerprint } from "../../../gateway/idempotency/fingerprint.ts";
import { createBeginOnce, type Hold } from "../../../gateway/idempotency/idempotency.ts";
import { removeExpiredRows } from "../../../gateway/idempotency/idempotency-rows.ts";
import { history } from "../../../gateway/migrations/history.ts";
import { UploadedFile } from "../../../platform/contracts/http-api/file-input.ts";
import { migrate, openDatabase } from "../../../platform/database.ts";
import { createLog } from "../../../platform/log.ts";
import { createSecretBox } from "../../../platform/secret-box.ts";
import { startMysql } from "../../support/start-servers.ts";

const hour = 3600 * 1000;

t.test("a call under an idempotency key", async (t) => {
  const { url } = await startMysql(t);
  const db = await openDatabase({ url, service: "gateway" });
  t.teardown(() => db.destroy());
  await migrate(db, history);
  let time = Date.now();
  const secretBox = createSecretBox(randomBytes(32));
  const log = createLog("test", "silent");
  // Two gateways over one database.
  const deps = { db, secretBox, log, now: () => new Date(time) };
  const [begin, beginElsewhere] = [createBeginOnce(deps), createBeginOnce(deps)];
  const call = (key: string, newId: string) => ({
    accountId: "acc_1",
    path: "/api/v1/pdf/merge",
    key,
    newId,
  });
  const held = (begun: Awaited<ReturnType<typeof begin>>): Hold => {
    if ("answer" in begun) throw new Error("the call is not the first");
    return begun.hold;
  };
  const answer = {
    kind: "data",
    status: 201,
    data: { webhook_secret: "whsec_shown_once" },
    headers: {},
  } as const;

  t.test("is done once: while it runs others wait, afterwards they get its answer", async (t) => {
    const hold = held(await begin(call("one", "job_a")));
    t.equal(hold.newId, "job_a");
    await t.rejects(beginElsewhere(call("one", "job_b")), { code: "idempotency_in_progress" });
    await hold.asksFor("print");
    await hold.keep(answer);
    t.same(await beginElsewhere(call('"one"', "job_b")), { fingerprint: "print", answer });
  });

  t.test("of two at the same instant one is done", async (t) => {
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? begin : beginElsewhere)(call("race", `job_${index}`)),
      ),
    );
    const done = tries.filter((one) => one.status === "fulfilled");
    t.equal(done.length, 1);
    for (const { value } of done) await held(value).release();
  });

  t.test("is kept without its secrets in plain", async (t) => {
    const kept = JSON.stringify(await db("idempotency_keys"));
    t.notMatch(kept, /whsec_shown_once/);
  });

  t.test("is another one for another account, path or key", async (t) => {
    for (const other of [{ accountId: "acc_2" }, { path: "/api/v1/pdf/split" }, { key: "two" }]) {
      const hold = held(await begin({ ...call("one", "job_c"), ...other }));
      t.equal(hold.newId, "job_c");
      await hold.release();
    }
  });

  t.test("may be made anew after an answer that is not kept", async (t) => {
    await held(await begin(call("failed", "job_d"))).release();
    const hold = held(await beginElsewhere(call("failed", "job_e")));
    t.equal(hold.newId, "job_e");
    await hold.release();
  });

  t.test("is taken over from a gateway that died, with the id that it had", async (t) => {
    const dead = held(await begin(call("died", "job_f")));
    await dead.asksFor("print");
    time += 21_000;
    const hold = held(await beginElsewhere(call("died", "job_g")));
    t.equal(hold.newId, "job_f");
    await t.rejects(hold.asksFor("another"), { code: "idempotency_mismatch" });
    await hold.asksFor("print");
    // The first was not dead after all: it neither keeps its answer nor frees the key.
    await dead.keep({ ...answer, status: 200 });
    await dead.release();
    await t.rejects(begin(call("died", "job_h")), { code: "idempotency_in_progress" });
    await hold.keep(answer);
    t.match(await begin(call("died", "job_i")), { answer: { status: 201 } });
  });

  t.test("is forgotten after 24 hours", async (t) => {
    time += 24 * hour;
    const hold = held(await begin(call("one", "job_j")));
    t.equal(hold.newId, "job_j");
    await hold.release();
    await removeExpiredRows(db, new Date(time));
    t.same(await db("idempotency_keys"), []);
  });

  t.test("refuses a key that is too long or not printable", async (t) => {
    for (const key of ["x".repeat(256), "tab\t", "ü"])
      await t.rejects(begin(call(key, "job_k")), { code: "invalid_idempotency_key" });
  });
});

t.test("calls ask for the same when their fields and their files' content are the same", async (t) => {
  const file = (sha: string, job: string) =>
    new UploadedFile({ key: `jobs/${job}/${sha.repeat(64)}`, size: 3 });
  const body = { level: "low", files: [file("a", "job_1")], metadata: { a: 1, b: [2, null] } };
  const again = { metadata: { b: [2, null], a: 1 }, files: [file("a", "job_2")], level: "low" };
  t.equal(fingerprint(body), fingerprint(again));
  const others = [
    { ...body, level: "high" },
    { ...body, files: [file("b", "job_1")] },
    { ...body, files: [{ file: "a".repeat(64) }] },
    { ...body, extra: true },
    {},
    null,
    undefined,
  ];
  const prints = new Set([body, ...others].map(fingerprint));
  t.equal(prints.size, 8);
});
