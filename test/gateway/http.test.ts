import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { changeAccount } from "../../gateway/accounts/account-rows.ts";
import { newApiKey } from "../../gateway/accounts/api-key.ts";
import { createKey, revokeKey } from "../../gateway/accounts/key-rows.ts";
import { openDatabase } from "../../platform/database.ts";
import { openApiAccount } from "../support/api-account.ts";
import { startSystem } from "../support/start-system.ts";

const compress = "/api/v1/pdf/compress";
const small = { pdf_base64: Buffer.from("%PDF-1.4 small").toString("base64") };
const later = { prefer: "respond-async" };

t.test("the gateway over HTTP", async (t) => {
  const system = await startSystem(t, { run: ["gateway"] });
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway", poolSize: 2 });
  t.teardown(() => db.destroy());
  const account = await openApiAccount(t, system);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(system.baseUrl + path, { headers });

  t.test("a call without a key in force is refused, and told how to send one", async (t) => {
    const { id, secret } = await createKey(db, { accountId: account.accountId, name: "soon revoked" });
    await revokeKey(db, id, new Date());
    const past = { accountId: account.accountId, name: "expired", expiresAt: new Date(Date.now() - 1) };
    const { secret: expired } = await createKey(db, past);
    const headers = [
      "",
      "Basic abc",
      "Bearer ",
      "Bearer sk_live_mistyped",
      `Bearer ${newApiKey()}`,
      `Bearer ${secret}`,
      `Bearer ${expired}`,
    ];
    for (const authorization of headers) {
      const answer = await get("/api/v1/pdf/jobs", { authorization });
      t.equal(answer.status, 401, authorization);
      t.equal(answer.headers.get("www-authenticate"), "Bearer");
      t.match(await answer.json(), { success: false, error: { code: "unauthorized" } });
    }
  });

  t.test("a free plan is asked to change, and a key is told the permission that it lacks", async (t) => {
    const free = await openApiAccount(t, system, { plan: "free" });
    t.match((await free.call("GET", "/api/v1/pdf/jobs")).body.error, { code: "plan_required" });
    const reader = await openApiAccount(t, system, { permissions: ["signature:read"] });
    const refused = await reader.call("GET", "/api/v1/pdf/jobs");
    t.equal(refused.status, 403);
    t.match(refused.body.error, { code: "insufficient_permissions", message: /pdf:process/ });
  });

  t.test("an account's own limit counts all its keys together, and says what is left", async (t) => {
    const limited = await openApiAccount(t, system);
    await changeAccount(db, limited.accountId, { rateLimitPerMinute: 3 });
    const { secret } = await createKey(db, { accountId: limited.accountId, name: "second" });
    const other = { authorization: `Bearer ${secret}` };
    const left: (string | null)[] = [];
    for (let call = 0; call < 2; call++)
      left.push((await limited.call("GET", "/api/v1/pdf/jobs")).headers.get("ratelimit-remaining"));
    left.push((await get("/api/v1/pdf/jobs", other)).headers.get("ratelimit-remaining"));
    t.same(left, ["2", "1", "0"]);
    const refused = await get("/api/v1/pdf/jobs", other);
    t.equal(refused.status, 429);
    t.match(await refused.json(), { error: { code: "rate_limited" } });
    for (const name of ["retry-after", "ratelimit-reset"])
      t.ok(Number(refused.headers.get(name)) <= 60, name);
    t.equal(refused.headers.get("ratelimit-limit"), "3");
  });

  t.test("what is not there is 404, a wrong method 405 with those that are allowed", async (t) => {
    for (const path of ["/", "/api/v1", "/api/v1/pdf", "/api/v2/pdf/compress", `${compress}/x`])
      t.equal((await get(path)).status, 404, path);
    const wrong = await account.call("DELETE", compress);
    t.equal(wrong.status, 405);
    t.equal(wrong.headers.get("allow"), "POST");
    t.equal(wrong.body.error.code, "method_not_allowed");
  });

  t.test("every answer carries its own request id, in the header and in the body", async (t) => {
    const answers = await Promise.all([
      account.call("GET", "/api/v1/pdf/jobs"),
      account.call("GET", "/api/v1/nothing"),
      account.call("POST", compress, {}),
      account.call("POST", compress, small, later),
    ]);
    for (const { headers, body } of answers) t.equal(headers.get("x-request-id"), body.request_id);
    t.equal(new Set(answers.map(({ body }) => body.request_id)).size, answers.length);
  });

  t.test("every fault of a body is told at once, with its place", async (t) => {
    const faults = async (path: string, body: object) =>
      (await account.call("POST", path, body)).body.error.details?.map(
        (fault: { path: string }) => fault.path,
      );
    const url = "https://files.example.com/a.pdf";
    t.same(await faults(compress, {}), ["pdf_base64"]);
    t.same(await faults(compress, { pdf_base64: "*", level: "best" }), ["pdf_base64", "level"]);
    t.same(await faults(compress, { ...small, pdf_url: url }), ["pdf_url"]);
    t.same(await faults(compress, { pdf_base64: { key: "jobs/x", size: 1 } }), ["pdf_base64"]);
    t.same(await faults(compress, { pdf_base64: "" }), ["pdf_base64"]);
    t.same(await faults("/api/v1/pdf/merge", { files: [] }), ["files"]);
    t.same(await faults("/api/v1/pdf/merge", { files: [small, {}], page_size: "A9" }), [
      "files[1].pdf_base64",
      "page_size",
    ]);
    t.same(await faults("/api/v1/pdf/split", { ...small, mode: "range", options: { num_files: 2 } }), [
      "options.pages",
      "options.num_files",
    ]);
    t.same(await faults("/api/v1/pdf/split", { ...small, mode: "range", options: { pages: [[0]] } }), [
      "options.pages[0][0]",
    ]);
    t.same(await faults("/api/v1/pdf/ocr", { file_base64: "QUJD", language: "eng+klingon" }), ["language"]);
    const many = { files: Array.from({ length: 21 }, () => ({ pdf_url: url })) };
    t.same(await faults("/api/v1/pdf/merge", many), ["files"]);
    t.equal((await account.call("POST", compress, { ...small, unknown: 1, level: null }, later)).status, 422);
    t.equal(
      (await account.call("POST", compress, { ...small, unknown: 1, pdf_url: null }, later)).status,
      202,
    );
  });

  t.test("a webhook URL or a file URL inside our own network is refused", async (t) => {
    for (const body of [
      { pdf_url: "http://169.254.169.254/x" },
      { ...small, webhook_url: "http://10.0.0.1/hook" },
    ]) {
      const { status, body: answer } = await account.call("POST", compress, body);
      t.equal(status, 422);
      t.equal(answer.error.code, "url_not_allowed");
    }
  });

  t.test("a body of another kind is 415", async (t) => {
    for (const type of ["text/plain", "application/xml", "application/json; charset=latin1", "image/png"]) {
      const answer = await fetch(system.baseUrl + compress, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": type },
        body: "{}",
      });
      t.equal(answer.status, 415, type);
    }
  });

  t.test(
    "a body that says it is not compressed is read, in whatever case it says so; a compressed one is 415",
    async (t) => {
      for (const [coding, status] of [["Identity", 422] as const, ["GZIP", 415] as const]) {
        const answer = await fetch(system.baseUrl + compress, {
          method: "POST",
          headers: {
            authorization: `Bearer ${account.key}`,
            "content-type": "application/json",
            "content-encoding": coding,
          },
          body: "{}",
        });
        t.equal(answer.status, status, coding);
      }
    },
  );

  t.test("a client that waits for leave to send its body is refused before it sends one", async (t) => {
    t.equal(await statusBeforeBody(t, system.port), 401);
  });

  t.test("liveness, readiness and numbers need no key", async (t) => {
    t.same(await (await get("/healthz")).json(), { alive: true });
    t.match(await (await get("/readyz")).json(), {
      ready: true,
      dependencies: { mysql: "up", nats: "up", blobs: "up" },
    });
    t.match(await (await get("/metrics")).text(), /http_request_duration_seconds_count\{.*pdf\/compress/);
  });
});

/** Announces a body of 100 MB and waits; fails if it is asked to send it. */
function statusBeforeBody(t: Test, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request({
      port,
      path: compress,
      method: "POST",
      headers: { expect: "100-continue", "content-type": "application/json", "content-length": 100_000_000 },
    });
    call.on("continue", () => reject(new Error("was asked to send the body")));
    call.on("response", (response) => {
      resolve(response.statusCode);
      call.destroy();
    });
    call.on("error", () => undefined);
    call.flushHeaders();
    void delay(10_000, undefined, { ref: false }).then(() => t.fail("no answer"));
  });
}
