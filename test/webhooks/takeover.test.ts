import type { ServerResponse } from "node:http";
import t from "tap";
import { newId } from "../../platform/new-id.ts";
import { startSystem } from "../support/start-system.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeEvent, startWebhookService } from "../support/webhook-service.ts";

t.test("two processes share the work, and one takes over what the other had in hand", async (t) => {
  const first = await startWebhookService(t);
  const { system, register, announce } = first;
  const stores = { NATS_URL: system.natsUrl, DATABASE_URL: system.databaseUrl };
  const second = await startSystem(t, {
    run: ["webhooks"],
    env: { ...stores, SECRETS_KEY: String(system.env.SECRETS_KEY) },
  });
  const open: ServerResponse[] = [];
  const receiver = await startReceiver(t, (_, response) => void open.push(response));
  const accountId = newId("account");
  for (const path of ["/a", "/b", "/c", "/d"]) await register(accountId, { url: receiver.url + path });
  await announce(makeEvent(accountId));
  const before = await receiver.until(({ length }) => length === 4);
  const holders: string[] = await first.db("deliveries").distinct("lease_by").pluck("lease_by");
  t.equal(holders.length, 1, "one event's deliveries are begun by whoever recorded it");

  // Whoever has them: both are killed, and come back as others.
  const killedAt = Date.now();
  system.process("webhooks")?.kill("SIGKILL");
  second.process("webhooks")?.kill("SIGKILL");
  const after = (await receiver.until(({ length }) => length === 8)).slice(4);
  t.ok(Date.now() - killedAt < 15_000, "within seconds");
  const names = (all: typeof before) =>
    all.map(({ path, headers }) => `${path} ${headers["webhook-id"]}`).sort();
  t.same(names(after), names(before), "with the same ids");
  for (const response of open) response.writeHead(204).end();
});
