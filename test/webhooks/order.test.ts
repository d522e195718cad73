import type { ServerResponse } from "node:http";
import t from "tap";
import type { EventType } from "../../platform/contracts/event.ts";
import { newId } from "../../platform/new-id.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeEvent, startWebhookService } from "../support/webhook-service.ts";

const service = await startWebhookService(t, { WEBHOOK_RETRY_SECONDS: "600" });
const { register, announce } = service;
const types = [
  "signature_request.created",
  "signature_request.signed",
  "signature_request.completed",
] as const;

/** The events of one signature request, in their order. */
function story(accountId: string) {
  const key = newId("signatureRequest");
  return types.map((type: EventType, index) =>
    makeEvent(accountId, { type, order: { key, sequence: index + 1 } }),
  );
}

const typesAt = (all: readonly { headers: Record<string, string> }[]) =>
  all.map(({ headers }) => headers["x-service-event"]);

t.test("events of one signature request reach an endpoint in order", async (t) => {
  t.test("however they were announced", async (t) => {
    const receiver = await startReceiver(t);
    const accountId = newId("account");
    await register(accountId, { url: receiver.url, events: [...types] });
    const [created, signed, completed] = story(accountId);
    if (!created || !signed || !completed) throw new Error("three events were made");
    await announce(completed);
    await announce(signed);
    await announce(created);
    t.same(typesAt(await receiver.until(({ length }) => length === 3)), types);
  });

  t.test("a later one waiting for the earlier one's first try, not for its success", async (t) => {
    const receiver = await startReceiver(t, (_, response) => response.writeHead(500).end());
    const accountId = newId("account");
    await register(accountId, { url: receiver.url, events: [...types] });
    await announce(...story(accountId));
    t.same(typesAt(await receiver.until(({ length }) => length === 3)), types);
  });

  t.test("and while one waits, other requests' events pass", async (t) => {
    const open: ServerResponse[] = [];
    const receiver = await startReceiver(t, (received, response) => {
      if (received.body.includes("slow")) open.push(response);
      else response.writeHead(204).end();
    });
    const accountId = newId("account");
    await register(accountId, { url: receiver.url, events: [...types] });
    const [first, second] = story(accountId);
    if (!first || !second) throw new Error("two events were made");
    await announce({ ...first, body: { in: "message", json: '{"slow":true}' } }, second);
    const others = story(accountId);
    await announce(...others);
    const passed = await receiver.until(({ length }) => length === 4);
    t.same(typesAt(passed), [types[0], ...types]);
    for (const response of open) response.writeHead(204).end();
    t.equal(typesAt(await receiver.until(({ length }) => length === 5)).at(-1), types[1]);
  });

  t.test("an endpoint that does not subscribe to the earlier one waits for nothing", async (t) => {
    const receiver = await startReceiver(t);
    const accountId = newId("account");
    await register(accountId, { url: receiver.url, events: ["signature_request.completed"] });
    await announce(...story(accountId));
    t.same(typesAt(await receiver.until(({ length }) => length === 1)), ["signature_request.completed"]);
  });
});
