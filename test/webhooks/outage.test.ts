import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { changeWebhook, getWebhook, listDeliveries } from "../../platform/contracts/webhook.ts";
import { newId } from "../../platform/new-id.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeEvent, startWebhookService } from "../support/webhook-service.ts";

const service = await startWebhookService(t, {
  WEBHOOK_RETRY_SECONDS: "3600",
  WEBHOOK_SWEEP_SECONDS: "0.2",
});
const { bus, db, register, announce, system } = service;

t.test("a webhook that answers 410 is disabled at once", async (t) => {
  let status = 410;
  const receiver = await startReceiver(t, (_, response) => response.writeHead(status).end());
  const accountId = newId("account");
  const { id: webhookId } = await register(accountId, { url: receiver.url });
  await announce(makeEvent(accountId));
  const shown = await until(
    () => bus.ask(getWebhook, { accountId, webhookId }),
    (webhook) => webhook.status === "disabled",
  );
  t.match(shown, { disabled_reason: "gone", last_sequence: 1 });

  t.test("gets no more events, so that its numbers stay without a gap", async (t) => {
    await announce(makeEvent(accountId));
    t.match(await bus.ask(getWebhook, { accountId, webhookId }), { last_sequence: 1 });
    t.equal(receiver.received.length, 1);
  });

  t.test("and gets what was held once it is enabled", async (t) => {
    status = 204;
    await bus.ask(changeWebhook, { accountId, webhookId, body: { status: "enabled" } });
    const [first, again] = await receiver.until(({ length }) => length === 2);
    t.equal(again?.headers["webhook-id"], first?.headers["webhook-id"]);
  });
});

t.test("a webhook with five days of nothing but failures", async (t) => {
  let status = 500;
  const receiver = await startReceiver(t, (_, response) => response.writeHead(status).end());
  const accountId = newId("account");
  const { id: webhookId } = await register(accountId, { url: receiver.url, notify_email: "ops@example.com" });
  const read = () => bus.ask(getWebhook, { accountId, webhookId });
  await announce(makeEvent(accountId));
  await until(read, ({ failing_since }) => failing_since !== null);
  const longAgo = new Date(Date.now() - 5 * 24 * 3600_000 - 1000);
  await db("endpoints").where({ id: webhookId }).update({ failing_since: longAgo });
  await bus.ask(changeWebhook, { accountId, webhookId, body: {} });
  await announce(makeEvent(accountId));
  t.match(await until(read, (webhook) => webhook.status === "disabled"), { disabled_reason: "failures" });

  t.test("is announced to its owner by mail", async (t) => {
    const folder = join(system.dataDir, "mail");
    const [file] = await until(
      () => readdir(folder).catch(() => []),
      (files) => files.some((name) => name.endsWith(".eml")),
    );
    const mail = await readFile(join(folder, String(file)), "utf8");
    t.match(mail, /^To: ops@example\.com\r$/m);
    t.match(mail, new RegExp(webhookId));
  });

  t.test("is probed once a day, with the oldest event", async (t) => {
    const before = receiver.received.length;
    await announce(makeEvent(accountId), makeEvent(accountId));
    await db("endpoints").where({ id: webhookId }).update({ probe_at: new Date() });
    const received = await receiver.until(({ length }) => length === before + 1);
    t.equal(received.at(-1)?.headers["x-service-sequence"], "1");
    t.match(await read(), { status: "disabled", last_sequence: 4 });
  });

  t.test("and when it answers, is enabled and gets what it missed, oldest first", async (t) => {
    status = 204;
    const before = receiver.received.length;
    const { rows } = { rows: await db("endpoints").where({ id: webhookId }).select("probe_at") };
    t.ok(rows[0].probe_at > new Date(Date.now() + 23 * 3600_000));
    await db("endpoints").where({ id: webhookId }).update({ probe_at: new Date() });
    const caughtUp = (await receiver.until(({ length }) => length === before + 4)).slice(before);
    t.equal(caughtUp[0]?.headers["x-service-sequence"], "1");
    t.same(
      new Set(caughtUp.map(({ headers }) => headers["x-service-sequence"])),
      new Set(["1", "2", "3", "4"]),
    );
    t.match(await read(), { status: "enabled", failing_since: null });
    await until(
      async () =>
        (await bus.ask(listDeliveries, { accountId, webhookId, query: { page: 1, per_page: 20 } }))
          .deliveries,
      (deliveries) => deliveries.every((one) => one.status === "delivered"),
    );
  });
});

/** Asks until the answer is right; the test's own time limit ends it otherwise. */
async function until<A>(ask: () => Promise<A>, isRight: (answer: A) => boolean): Promise<A> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
