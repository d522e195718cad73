import { createHmac, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import t from "tap";
import { openBlobStore } from "../../platform/blob-store.ts";
import {
  changeWebhook,
  getDefaultSecret,
  listDeliveries,
  pullEventBody,
  pullEvents,
  retryDelivery,
  retryFailed,
  rotateSecret,
  testWebhook,
} from "../../platform/contracts/webhook.ts";
import { newId } from "../../platform/new-id.ts";
import { createSecretBox } from "../../platform/secret-box.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeEvent, startWebhookService } from "../support/webhook-service.ts";

const service = await startWebhookService(t, { WEBHOOK_RETRY_SECONDS: "0.2,0.2" });
const { bus, register, announce, system } = service;
const query = { page: 1, per_page: 20 };

t.test("an event reaches its webhook", async (t) => {
  const receiver = await startReceiver(t);
  const accountId = newId("account");
  const { webhook_secret: secret } = await register(accountId, { url: `${receiver.url}/hook` });
  const event = makeEvent(accountId);
  await announce(event, event);
  const [received] = await receiver.until(({ length }) => length === 1);
  if (received === undefined) throw new Error("nothing was received");

  t.test("with its frozen bytes, its name and its number", async (t) => {
    t.equal(received.body, event.body.in === "message" ? event.body.json : "");
    t.match(received.headers, {
      "content-type": "application/json",
      "x-service-event": event.type,
      "x-service-sequence": "1",
      "webhook-id": event.id,
    });
    t.notMatch(received.headers, { "x-service-job-id": String });
  });

  t.test("signed as the API document says, and for Standard Webhooks and Svix libraries", async (t) => {
    const hex = createHmac("sha256", secret).update(received.body).digest("hex");
    t.equal(received.headers["x-service-signature"], `sha256=${hex}`);
    t.doesNotThrow(() => new StandardWebhook(secret).verify(received.body, received.headers));
    t.doesNotThrow(() => new SvixWebhook(secret).verify(received.body, received.headers));
  });

  t.test("once, however often it was announced", async (t) => {
    await announce(event, makeEvent(accountId));
    const all = await receiver.until(({ length }) => length === 2);
    t.same(new Set(all.map(({ headers }) => headers["webhook-id"])).size, 2);
  });
});

t.test("a tagged webhook gets the events of its tag, an untagged one all", async (t) => {
  const receiver = await startReceiver(t);
  const accountId = newId("account");
  await register(accountId, { url: `${receiver.url}/eu`, tag: "eu" });
  await register(accountId, { url: `${receiver.url}/all` });
  await register(newId("account"), { url: `${receiver.url}/other-account` });
  const events = ["eu", "us", null].map((tag) => makeEvent(accountId, { tag }));
  await announce(...events);
  const received = await receiver.until(({ length }) => length === 4);
  const idsAt = (path: string) =>
    received.filter((one) => one.path === path).map(({ headers }) => headers["webhook-id"]);
  t.same(idsAt("/eu"), [events[0]?.id]);
  t.same(new Set(idsAt("/all")), new Set(events.map(({ id }) => id)));
});

t.test("a job's event goes to the URL that its call named", async (t) => {
  const receiver = await startReceiver(t);
  const accountId = newId("account");
  const secretBox = createSecretBox(Buffer.from(String(system.env.SECRETS_KEY), "base64"));
  const blobs = await openBlobStore(String(system.env.BLOB_URL));
  const job = (path: string, secret: string | null) =>
    makeEvent(accountId, {
      ...{ type: "pdf.compress.completed", jobId: newId("job"), order: null },
      callAddress: {
        url: `${receiver.url}${path}`,
        sealedSecret: secret === null ? null : secretBox.seal(secret),
      },
    });

  t.test("signed with the call's secret", async (t) => {
    const event = job("/own", "the secret of this call");
    await announce(event);
    const received = (await receiver.until((all) => all.some(({ path }) => path === "/own"))).at(-1);
    const hex = createHmac("sha256", "the secret of this call")
      .update(received?.body ?? "")
      .digest("hex");
    t.match(received?.headers, { "x-service-signature": `sha256=${hex}`, "x-service-job-id": event.jobId });
  });

  t.test("or with the account's default, which stays the same", async (t) => {
    await announce(job("/default", null));
    const received = (await receiver.until((all) => all.some(({ path }) => path === "/default"))).at(-1);
    const { webhook_secret: secret } = await bus.ask(getDefaultSecret, { accountId });
    t.same(await bus.ask(getDefaultSecret, { accountId }), { webhook_secret: secret });
    t.doesNotThrow(() => new StandardWebhook(secret).verify(received?.body ?? "", received?.headers ?? {}));
  });

  t.test("with a body of megabytes, streamed and signed", async (t) => {
    const event = job("/large", "the secret of this call");
    const json = JSON.stringify({
      event: event.type,
      data: { pdf_base64: randomBytes(3_000_000).toString("base64") },
    });
    const blob = await blobs.put({ kind: "events", id: event.id }, Readable.from([Buffer.from(json)]));
    await announce({ ...event, body: { in: "blob", blob } });
    const received = (await receiver.until((all) => all.some(({ path }) => path === "/large"))).at(-1);
    t.ok(received?.body === json, "byte for byte");
    const hex = createHmac("sha256", "the secret of this call").update(json).digest("hex");
    t.equal(received?.headers["x-service-signature"], `sha256=${hex}`);
  });
});

t.test("a failed delivery", async (t) => {
  let answers = [500, 302, 204];
  const receiver = await startReceiver(t, (_, response) =>
    response.writeHead(answers.shift() ?? 500).end("why"),
  );
  const accountId = newId("account");
  const { id: webhookId } = await register(accountId, { url: receiver.url });
  const deliveries = async () => (await bus.ask(listDeliveries, { accountId, webhookId, query })).deliveries;
  const settled = async (status: string) => {
    for (;;) {
      const [newest] = await deliveries();
      if (newest?.status === status) return newest;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  t.test("is tried again with the same id and the same bytes, and each attempt is in the log", async (t) => {
    await announce(makeEvent(accountId));
    const received = await receiver.until(({ length }) => length === 3);
    t.equal(new Set(received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size, 1);
    t.equal(new Set(received.map(({ headers }) => headers["x-service-sequence"])).size, 1);
    t.match(await settled("delivered"), {
      delivered_at: String,
      next_attempt_at: null,
      attempts: [
        { number: 1, outcome: "refused", status_code: 500, response_body: "why" },
        { number: 2, outcome: "redirected", status_code: 302 },
        { number: 3, outcome: "delivered", status_code: 204 },
      ],
    });
  });

  t.test("is failed when the schedule ends, and sent again on request", async (t) => {
    answers = [500, 500, 500, 204];
    await announce(makeEvent(accountId));
    const failed = await settled("failed");
    t.equal(failed.attempts.length, 3);
    t.match(await bus.ask(retryDelivery, { accountId, deliveryId: failed.id }), { id: failed.id });
    t.equal((await settled("delivered")).attempts.length, 4);
    await t.rejects(bus.ask(retryDelivery, { accountId: newId("account"), deliveryId: failed.id }), {
      code: "not_found",
    });
  });

  t.test("is among all that failed since a time", async (t) => {
    const since = new Date().toISOString();
    answers = [500, 500, 500, 204];
    await announce(makeEvent(accountId));
    await settled("failed");
    t.same(await bus.ask(retryFailed, { accountId, webhookId, body: { since } }), {
      id: webhookId,
      retried: 1,
    });
    await settled("delivered");
  });
});

t.test("a test event is sent at once and answers with what came of it", async (t) => {
  const receiver = await startReceiver(t, (_, response) => response.writeHead(418).end("teapot"));
  const accountId = newId("account");
  const { id: webhookId } = await register(accountId, { url: receiver.url });
  await bus.ask(changeWebhook, { accountId, webhookId, body: { status: "disabled" } });
  t.match(await bus.ask(testWebhook, { accountId, webhookId }), {
    event: "webhook.test",
    status: "failed",
    attempts: [{ outcome: "refused", status_code: 418, response_body: "teapot" }],
  });
  t.match(receiver.received, [{ headers: { "x-service-event": "webhook.test", "x-service-sequence": "1" } }]);
});

t.test("during a rotation both secrets sign", async (t) => {
  const receiver = await startReceiver(t);
  const accountId = newId("account");
  const { id: webhookId, webhook_secret: old } = await register(accountId, { url: receiver.url });
  await announce(makeEvent(accountId));
  const rotated = await bus.ask(rotateSecret, { accountId, webhookId });
  t.not(rotated.webhook_secret, old);
  await announce(makeEvent(accountId));
  const received = (await receiver.until(({ length }) => length === 2)).at(-1);
  if (received === undefined) throw new Error("nothing was received");
  for (const secret of [old, rotated.webhook_secret]) {
    t.doesNotThrow(() => new StandardWebhook(secret).verify(received.body, received.headers));
  }
  const hex = createHmac("sha256", old).update(received.body).digest("hex");
  t.equal(received.headers["x-service-signature-previous"], `sha256=${hex}`);
});

t.test("what a receiver missed it can pull, and prove that it misses nothing", async (t) => {
  const accountId = newId("account");
  const receiver = await startReceiver(t);
  const { id: webhookId, webhook_secret: secret } = await register(accountId, { url: receiver.url });
  const events = Array.from({ length: 5 }, () => makeEvent(accountId));
  await announce(...events);
  const pushed = await receiver.until(({ length }) => length === 5);
  t.same(
    pushed.map(({ headers }) => Number(headers["x-service-sequence"])).sort(),
    [1, 2, 3, 4, 5],
    "numbers without a gap",
  );
  const pulled = await bus.ask(pullEvents, { accountId, webhookId, query: { after: 2, limit: 2 } });
  t.match(pulled, { first_sequence: 1, last_sequence: 5, has_more: true });
  t.same(
    pulled.events.map(({ sequence }) => sequence),
    [3, 4],
  );
  for (const { sequence, headers, body } of pulled.events) {
    t.doesNotThrow(() => new StandardWebhook(secret).verify(body ?? "", headers));
    const same = pushed.find((one) => one.headers["x-service-sequence"] === String(sequence));
    t.equal(body, same?.body);
    t.equal(headers["x-service-signature"], same?.headers["x-service-signature"]);
    const one = await bus.ask(pullEventBody, { accountId, webhookId, sequence });
    t.same(one.body, { in: "message", json: body });
  }
  await t.rejects(bus.ask(pullEventBody, { accountId, webhookId, sequence: 6 }), { code: "not_found" });
});
