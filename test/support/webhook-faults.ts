import { setTimeout as pause } from "node:timers/promises";
import type { Test } from "tap";
import type { ProcessName } from "../../deploy/system.ts";
import type { Event } from "../../platform/contracts/event.ts";
import { migrate, openDatabase } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { createOutbox, createOutboxTable, eventMessage, writeOutbox } from "../../platform/outbox.ts";
import { type Received, type Receiver, startReceiver } from "./webhook-receiver.ts";
import { makeEvent, startWebhookService } from "./webhook-service.ts";

export type FaultRun = {
  seed: number;
  events: number;
  /** What is killed, at moments spread over the run by the seed. */
  kills: readonly ProcessName[];
};

export type FaultReport = {
  /** Pairs of event and webhook that had to arrive. */
  expected: number;
  lost: string[];
  strangers: string[];
  /** Answered with 2xx more than once. */
  duplicates: number;
  /** Webhooks whose numbers have a gap. */
  gaps: string[];
  seconds: number;
};

const tags = ["eu", "us", null] as const;
const types = ["signature_request.created", "signature_request.cancelled"] as const;
/** Five webhooks that differ in what they get. */
const webhooks = [
  { tag: null, events: [...types] },
  { tag: "eu", events: [...types] },
  { tag: "us", events: [types[0]] },
  { tag: null, events: [types[1]] },
  { tag: "nobody", events: [...types] },
];

/** Events through a real outbox to five receivers that fail at random, while processes are killed. */
export async function runFaults(t: Test, { seed, events: count, kills }: FaultRun): Promise<FaultReport> {
  const began = performance.now();
  const random = randomFrom(seed);
  const { system, bus, register } = await startWebhookService(t, {
    WEBHOOK_RETRY_SECONDS: "0.1,0.1,0.2,0.2,0.5,0.5,1,1,1,1,2,2,2,2,2,2,2,2,2,2",
  });
  const log = createLog("test", "silent");
  const db = await openDatabase({ url: system.databaseUrl, service: "owner", poolSize: 4 });
  t.teardown(() => db.destroy());
  await migrate(db, [createOutboxTable]);
  const outbox = createOutbox({ db, bus, log });
  t.teardown(outbox.close);
  const accountId = newId("account");
  const acknowledged = new Set<Received>();
  const receivers = await Promise.all(
    webhooks.map(() => startReceiver(t, failingAtRandom(random, acknowledged))),
  );
  for (const [index, webhook] of webhooks.entries()) {
    await register(accountId, { ...webhook, url: receivers[index]?.url ?? "" });
  }

  const events = Array.from({ length: count }, () => {
    const [type, tag] = [pick(types, random), pick(tags, random)];
    return makeEvent(accountId, { type, tag });
  });
  const killAt = kills.map((name) => ({ name, at: Math.floor(random() * count) }));
  for (const [index, event] of events.entries()) {
    for (const { name } of killAt.filter(({ at }) => at === index)) system.process(name)?.kill("SIGKILL");
    await untilDone(() => announce(event));
  }

  const wanted = webhooks.map((webhook) => events.filter((event) => shouldGet(webhook, event)));
  const received = (index: number) => answered(receivers[index], acknowledged);
  for (const [index, all] of wanted.entries()) {
    await receivers[index]?.until(() => new Set(received(index)).size >= all.length);
  }
  return {
    expected: wanted.flat().length,
    lost: wanted.flatMap((all, index) => {
      const got = new Set(received(index));
      return all.filter(({ id }) => !got.has(id)).map(({ id }) => id);
    }),
    strangers: wanted.flatMap((all, index) => {
      const ids = new Set(all.map(({ id }) => id));
      return (receivers[index]?.received ?? []).map(idOf).filter((id) => !ids.has(id));
    }),
    duplicates: webhooks
      .map((_, index) => received(index).length - new Set(received(index)).size)
      .reduce((sum, more) => sum + more),
    gaps: wanted.flatMap((all, index) =>
      isGapFree(receivers[index], all.length) ? [] : [`webhook ${index + 1}`],
    ),
    seconds: (performance.now() - began) / 1000,
  };

  async function announce(event: Event): Promise<void> {
    const message = eventMessage(event, {});
    await db
      .transaction((trx) => writeOutbox(trx, new Date(), [message]))
      .catch((error) => {
        // The commit may have arrived although its answer did not.
        if (error.errno !== 1062) throw error;
      });
    void outbox.publishNow([message]);
  }
}

/** One in five fails: refused, redirected, or cut off after the event was read. */
function failingAtRandom(
  random: () => number,
  acknowledged: Set<Received>,
): Parameters<typeof startReceiver>[1] {
  return (received, response) => {
    const fate = random();
    if (fate < 0.01) response.writeHead(429, { "retry-after": "1" }).end();
    else if (fate < 0.1) response.writeHead(503).end();
    else if (fate < 0.15) response.writeHead(302, { location: "http://localhost/" }).end();
    else if (fate < 0.2) response.socket?.destroy();
    else {
      acknowledged.add(received);
      response.writeHead(204).end();
    }
  };
}

/** The rule as the documentation says it, written a second time. */
function shouldGet(webhook: (typeof webhooks)[number], { type, tag }: Event): boolean {
  const tagFits = webhook.tag === null || webhook.tag === tag;
  return tagFits && webhook.events.some((name) => name === type);
}

function answered(receiver: Receiver | undefined, acknowledged: Set<Received>): string[] {
  return (receiver?.received ?? []).filter((one) => acknowledged.has(one)).map(idOf);
}

function isGapFree(receiver: Receiver | undefined, count: number): boolean {
  const numbers = new Set(
    (receiver?.received ?? []).map(({ headers }) => Number(headers["x-service-sequence"])),
  );
  return numbers.size === count && [...numbers].every((number) => number >= 1 && number <= count);
}

function idOf({ headers }: Received): string {
  return headers["webhook-id"] ?? "";
}

/** A store that is being killed is away for a moment. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch {
      await pause(100);
    }
  }
}

function pick<Item>(from: readonly Item[], random: () => number): Item {
  return from[Math.floor(random() * from.length)] as Item;
}

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
