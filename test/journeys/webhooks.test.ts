import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import t from "tap";
import { openDatabase } from "../../platform/database.ts";
import { openApiAccount } from "../support/api-account.ts";
import { makePdf } from "../support/make-pdf.ts";
import { openSigningCaller, people } from "../support/signing-caller.ts";
import { startSystem } from "../support/start-system.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const path = "/api/v1/webhooks";
const allEvents = ["signature_request.created", "signature_request.signed", "signature_request.completed"];

const system = await startSystem(t);
const account = await openApiAccount(t, system);
const { call } = account;

t.test("a signature request is followed by webhook from its creation to its completion", async (t) => {
  const receiver = await startReceiver(t);
  const created = await call("POST", path, { url: `${receiver.url}/hook`, events: allEvents, tag: "leases" });
  t.equal(created.status, 201);
  t.match(created.body.data, { status: "enabled", tag: "leases", last_sequence: 0 });
  const { id: webhookId, webhook_secret: secret } = created.body.data;

  const signing = await openSigningCaller(system, account);
  const asked = { send_emails: false, webhook_tag: "leases", external_id: "L-1", metadata: { flat: 3 } };
  const request = await signing.create({ ...asked, signers: people(1) });
  await signing.create({ ...asked, webhook_tag: "other", signers: people(1) });
  await signing.sign(String(request.links[0]));
  const received = await receiver.until(({ length }) => length === 3);

  t.same(
    received.map(({ headers }) => headers["x-service-event"]),
    allEvents,
  );
  for (const { body, headers } of received) {
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    t.equal(headers["x-service-signature"], `sha256=${hex}`);
    t.doesNotThrow(() => new StandardWebhook(secret).verify(body, headers));
    t.match(JSON.parse(body), {
      event: headers["x-service-event"],
      signature_request_id: request.id,
      data: { id: request.id, title: "Lease", external_id: "L-1", metadata: { flat: 3 } },
      timestamp: String,
    });
  }

  const pulled = await call("GET", `${path}/${webhookId}/events?after=2`);
  t.match(pulled.body.data, {
    last_sequence: 3,
    has_more: false,
    events: [{ sequence: 3, body: received[2]?.body }],
  });
  const one = await call("GET", pulled.body.data.events[0].body_url);
  t.equal(one.headers.get("x-service-signature"), received[2]?.headers["x-service-signature"]);
  t.same(one.body, JSON.parse(String(received[2]?.body)));
  const log = await call("GET", `${path}/${webhookId}/deliveries?per_page=2`);
  t.match(log.body.data, { pagination: { page: 1, per_page: 2, total: 3, total_pages: 2 } });
  t.equal(log.body.data.deliveries[0].sequence, 3);
});

t.test("a job's end is told to the URL that its call named", async (t) => {
  const receiver = await startReceiver(t);
  const pdf_base64 = Buffer.from(await makePdf()).toString("base64");
  const secret = "the secret of this very call";
  const order = { pdf_base64, webhook_url: `${receiver.url}/done`, webhook_secret: secret };
  const accepted = await call("POST", "/api/v1/pdf/compress", order);
  t.equal(accepted.status, 202);
  const [received] = await receiver.until(({ length }) => length === 1);
  const body = JSON.parse(String(received?.body));
  const jobId = accepted.body.data.job_id;
  t.match(body, { event: "pdf.compress.completed", job_id: jobId, timestamp: String });
  t.match(Buffer.from(body.data.pdf_base64, "base64").toString("latin1"), /^%PDF-/);
  const hex = createHmac("sha256", secret).update(String(received?.body)).digest("hex");
  t.match(received?.headers, {
    "x-service-event": "pdf.compress.completed",
    "x-service-job-id": jobId,
    "x-service-signature": `sha256=${hex}`,
  });
});

t.test("webhooks are managed", async (t) => {
  const receiver = await startReceiver(t);
  const created = await call("POST", path, {
    url: receiver.url,
    events: ["pdf.ocr.failed", "pdf.ocr.failed"],
  });
  const { id, webhook_secret: secret } = created.body.data;

  t.test("the secret is shown once, and is nowhere in plain", async (t) => {
    t.match(secret, /^whsec_/);
    for (const shown of [await call("GET", `${path}/${id}`), await call("GET", path)]) {
      t.notMatch(JSON.stringify(shown.body), secret);
    }
    const db = await openDatabase({ url: system.databaseUrl, service: "webhooks", poolSize: 1 });
    t.notMatch(JSON.stringify(await db("endpoints")), secret);
    await db.destroy();
  });

  t.test("changed, tried out, given a new secret and deleted", async (t) => {
    const changed = await call("PATCH", `${path}/${id}`, { tag: "x", events: allEvents });
    t.match(changed.body.data, { id, tag: "x", events: allEvents, url: receiver.url });
    t.match((await call("PATCH", `${path}/${id}`, { tag: null })).body.data, { tag: null });
    const tried = await call("POST", `${path}/${id}/test`);
    t.match(tried.body.data, {
      event: "webhook.test",
      status: "delivered",
      attempts: [{ status_code: 204 }],
    });
    t.equal((await call("POST", `${path}/deliveries/${tried.body.data.id}/retry`)).status, 200);
    await receiver.until(({ length }) => length === 2);
    const rotated = await call("POST", `${path}/${id}/rotate-secret`);
    t.match(rotated.body.data, { id, webhook_secret: /^whsec_/, previous_secret_expires_at: String });
    t.match((await call("DELETE", `${path}/${id}`)).body.data, { id, deleted: true });
    t.equal((await call("GET", `${path}/${id}`)).status, 404);
  });

  t.test("and of the account alone", async (t) => {
    const own = (await call("POST", path, { url: receiver.url, events: allEvents })).body.data.id;
    const stranger = await openApiAccount(t, system);
    for (const [method, rest] of [
      ["GET", `/${own}`],
      ["PATCH", `/${own}`],
      ["DELETE", `/${own}`],
      ["POST", `/${own}/test`],
      ["POST", `/${own}/rotate-secret`],
      ["GET", `/${own}/deliveries`],
      ["GET", `/${own}/events`],
      ["GET", `/${own}/events/1`],
      ["GET", "/nonsense"],
      ["POST", "/deliveries/dlv_01kb2v0f5w8x3t9q6r7y1n2m4p/retry"],
    ] as const) {
      const refused = await stranger.call(method, path + rest, method === "PATCH" ? {} : undefined);
      t.match(refused, { status: 404, body: { error: { code: "not_found" } } }, `${method} ${rest}`);
    }
    const [one, other] = await Promise.all(
      [account, stranger].map((who) => who.call("GET", `${path}/default-secret`)),
    );
    t.not(one?.body.data.webhook_secret, other?.body.data.webhook_secret);
    const limited = await openApiAccount(t, system, { permissions: ["pdf:process"] });
    t.equal((await limited.call("GET", path)).status, 403);
  });
});

t.test("a bad registration is refused with what is wrong", async (t) => {
  const good = { url: "https://example.com/hook", events: allEvents };
  for (const [what, body, code, at] of [
    ["no url", { ...good, url: undefined }, "validation_failed", "url"],
    ["an empty url", { ...good, url: "" }, "validation_failed", "url"],
    ["text that is no URL", { ...good, url: "http://" }, "validation_failed", "url"],
    ["ftp", { ...good, url: "ftp://example.com/" }, "url_not_allowed", null],
    ["credentials in the URL", { ...good, url: "https://me:pass@example.com/" }, "validation_failed", "url"],
    ["a private address", { ...good, url: "http://10.0.0.1/hook" }, "url_not_allowed", null],
    ["a disguised private address", { ...good, url: "http://0x0a000001/" }, "url_not_allowed", null],
    ["the metadata service", { ...good, url: "http://169.254.169.254/" }, "url_not_allowed", null],
    ["no events", { url: good.url }, "validation_failed", "events"],
    ["an empty list of events", { ...good, events: [] }, "validation_failed", "events"],
    [
      "an unknown event",
      { ...good, events: ["signature_request.exploded"] },
      "validation_failed",
      "events[0]",
    ],
    ["a tag of 51 characters", { ...good, tag: "x".repeat(51) }, "validation_failed", "tag"],
    ["a tag with a space", { ...good, tag: "a b" }, "validation_failed", "tag"],
    ["a secret of 3 characters", { ...good, webhook_secret: "abc" }, "validation_failed", "webhook_secret"],
    [
      "a whsec_ secret that is no base64",
      { ...good, webhook_secret: "whsec_not-base64-at-all" },
      "validation_failed",
      "webhook_secret",
    ],
    [
      "an e-mail address that is none",
      { ...good, notify_email: "nobody" },
      "validation_failed",
      "notify_email",
    ],
  ] as const) {
    const refused = await call("POST", path, body);
    t.match(refused, { status: 422, body: { success: false, error: { code } } }, what);
    if (at !== null)
      t.ok(
        refused.body.error.details.some((fault: { path: string }) => fault.path === at),
        `at ${at}`,
      );
  }
});

t.test("a registration repeated under one idempotency key makes one webhook", async (t) => {
  const headers = { "idempotency-key": "register-once" };
  const body = { url: "https://example.com/once", events: allEvents };
  const [first, second] = [await call("POST", path, body, headers), await call("POST", path, body, headers)];
  t.equal(second.headers.get("idempotent-replayed"), "true");
  t.same(second.body.data, first.body.data);
});
