/**
 * Webhook deliveries against the bounds of the project: throughput to a local receiver, latency from event to
 * receiver, isolation from a hanging and a refusing receiver, and the cost of a million old rows. There is no peer
 * in this run; the bounds are stated in the table.
 */
import type { Test } from "tap";
import type { Event } from "../../platform/contracts/event.ts";
import { newId } from "../../platform/new-id.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeEvent, startWebhookService, type WebhookService } from "../support/webhook-service.ts";
import { fillWithOldRows } from "./webhook-old-rows.ts";

const ends: (() => unknown)[] = [];
/** What the test support asks of a test: to be told when it ends. */
const owner = { teardown: (end: () => unknown) => ends.unshift(end) } as unknown as Test;
const floodCount = Number(process.env.BENCH_EVENTS ?? 8000);
const oldRows = Number(process.env.BENCH_OLD_ROWS ?? 1_000_000);
const paceSeconds = 15;

type Figures = { what: string; measured: string; bound: string };
const rows: Figures[] = [];

try {
  const service = await startWebhookService(owner);
  const receivers = await Promise.all([1, 2, 3, 4].map(() => startReceiver(owner)));
  await flood(service, receivers.slice(0, 1), "warm-up", 1000);
  report(
    "deliveries/s to one endpoint",
    await flood(service, receivers.slice(0, 1), "one", floodCount),
    "≥ 800",
  );
  report("deliveries/s to four endpoints", await flood(service, receivers, "four", floodCount), "≥ 800");
  const healthy = await pace(service, { othersFail: false });
  report("event to receiver at 100/s to three endpoints, p50 ms", healthy.p50, "≤ 50");
  report("event to receiver at 100/s to three endpoints, p99 ms", healthy.p99, "≤ 300");
  const beside = await pace(service, { othersFail: true });
  report("… when one of them hangs and one refuses, p99 ms", beside.p99, `≤ ${round(healthy.p99 * 1.2)}`);
  const empty = await oneByOne(service);
  console.log(`filling in ${oldRows} old deliveries …`);
  await fillWithOldRows(service.db, oldRows);
  const full = await oneByOne(service);
  report("one delivery, mean ms, with few rows", empty, "");
  report(`one delivery, mean ms, with ${oldRows} old rows`, full, `≤ ${round(empty * 1.2)}`);
  report(
    "deliveries/s with the old rows",
    await flood(service, receivers.slice(0, 1), "old", floodCount),
    "≥ 800",
  );
  console.table(rows);
} finally {
  for (const end of ends) await end();
}

function report(what: string, figure: number, bound: string): void {
  rows.push({ what, measured: String(round(figure)), bound });
  console.log(what, round(figure), bound);
}

type Receivers = Awaited<ReturnType<typeof startReceiver>>[];

/** All at once; deliveries a second from the first event announced to the last one received. */
async function flood(
  service: WebhookService,
  receivers: Receivers,
  path: string,
  count: number,
): Promise<number> {
  const accountId = newId("account");
  for (const { url } of receivers) await service.register(accountId, { url: `${url}/${path}` });
  const events = Array.from({ length: count / receivers.length }, () => makeEvent(accountId));
  const began = performance.now();
  await Promise.all([
    service.announce(...events),
    ...receivers.map(({ until }) =>
      until((received) => received.filter((one) => one.path === `/${path}`).length === events.length),
    ),
  ]);
  return (count / (performance.now() - began)) * 1000;
}

/**
 * 100 events a second to three endpoints; milliseconds from an event's announcement to its arrival at the first. The
 * others take everything, or one hangs and one refuses: the same work for the service in both cases.
 */
async function pace(service: WebhookService, { othersFail }: { othersFail: boolean }) {
  const accountId = newId("account");
  const receiver = await startReceiver(owner);
  const hanging = await startReceiver(owner, othersFail ? () => undefined : undefined);
  const refusing = await startReceiver(
    owner,
    othersFail ? (_, answer) => answer.writeHead(500).end() : undefined,
  );
  for (const { url } of [receiver, hanging, refusing]) await service.register(accountId, { url });
  const announced = new Map<string, number>();
  const events: Event[] = [];
  const began = performance.now();
  for (let sent = 0; sent < paceSeconds * 100; sent++) {
    const due = began + sent * 10;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const event = makeEvent(accountId);
    events.push(event);
    announced.set(event.id, Date.now());
    void service.announce(event);
  }
  const received = await receiver.until(({ length }) => length === events.length);
  const delays = received
    .map(({ headers, at }) => at - (announced.get(headers["webhook-id"] ?? "") ?? 0))
    .sort((a, b) => a - b);
  return { p50: at(delays, 0.5), p99: at(delays, 0.99) };
}

/** One after the other: mean milliseconds from announcement to arrival. */
async function oneByOne(service: WebhookService): Promise<number> {
  const accountId = newId("account");
  const receiver = await startReceiver(owner);
  await service.register(accountId, { url: receiver.url });
  const count = 500;
  let began = performance.now();
  for (let sent = 1; sent <= count + 50; sent++) {
    // The first ones are for the caches.
    if (sent === 51) began = performance.now();
    await Promise.all([
      service.announce(makeEvent(accountId)),
      receiver.until(({ length }) => length === sent),
    ]);
  }
  return (performance.now() - began) / count;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function round(figure: number): number {
  return Math.round(figure * 10) / 10;
}
