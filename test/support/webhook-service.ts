import type { Test } from "tap";
import { type Bus, connectBus } from "../../platform/bus.ts";
import { type Event, eventRecorded, eventSubject } from "../../platform/contracts/event.ts";
import type { CreateWebhookBody } from "../../platform/contracts/http-api/webhooks.ts";
import { createWebhook } from "../../platform/contracts/webhook.ts";
import { type Database, openDatabase } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { startSystem, type TestSystem } from "./start-system.ts";

export type WebhookService = {
  system: TestSystem;
  bus: Bus;
  db: Database;
  /** Publishes events as their owners do; resolves when all are recorded. */
  announce: (...events: Event[]) => Promise<void>;
  register: (accountId: string, body: Partial<CreateWebhookBody>) => ReturnType<typeof registered>;
};

/** The real webhooks service with stores of its own, spoken to as the gateway and the events' owners do. */
export async function startWebhookService(
  t: Test,
  env: Record<string, string> = {},
): Promise<WebhookService> {
  const system = await startSystem(t, { run: ["webhooks"], env });
  const bus = await connectBus({ url: system.natsUrl, service: "test", log: createLog("test", "silent") });
  t.teardown(() => bus.close());
  const db = await openDatabase({ url: system.databaseUrl, service: "webhooks", poolSize: 2 });
  t.teardown(() => db.destroy());
  return {
    system,
    bus,
    db,
    announce: (...events) => announce(bus, events),
    register: (accountId, body) => registered(bus, accountId, body),
  };
}

function registered(bus: Bus, accountId: string, body: Partial<CreateWebhookBody>) {
  return bus.ask(createWebhook, {
    accountId,
    webhookId: newId("webhook"),
    body: { url: "", events: ["signature_request.created"], ...body },
  });
}

async function announce(bus: Bus, events: readonly Event[]): Promise<void> {
  const missing = new Set(events.map(({ id }) => id));
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = bus.listen(eventRecorded.subject, eventRecorded.message, ({ ids }) => {
    for (const id of ids) missing.delete(id);
    if (missing.size === 0) resolve();
  });
  // Under a fresh id each time: what the stream's own memory of repeats hides is what is tested here.
  await Promise.all(
    events.map((one) => bus.publish(eventSubject(one.type), one, { messageId: newId("event") })),
  );
  await promise;
  stop();
}

/** A `signature_request.created` of a request of its own, unless told otherwise. */
export function makeEvent(accountId: string, of: Partial<Event> = {}): Event {
  const type = of.type ?? "signature_request.created";
  const requestId = newId("signatureRequest");
  const body = {
    event: type,
    signature_request_id: requestId,
    data: {},
    timestamp: new Date().toISOString(),
  };
  return {
    id: newId("event"),
    type,
    accountId,
    occurredAt: new Date().toISOString(),
    body: { in: "message", json: JSON.stringify(body) },
    tag: null,
    jobId: null,
    order: { key: requestId, sequence: 1 },
    callAddress: null,
    ...of,
  };
}
