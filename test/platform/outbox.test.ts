import t from "tap";
import { type Bus, connectBus } from "../../platform/bus.ts";
import { type Event, event, eventRecorded } from "../../platform/contracts/event.ts";
import { type Database, migrate, openDatabase } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import {
  createOutbox,
  createOutboxTable,
  eventMessage,
  type OutboxMessage,
  writeOutbox,
} from "../../platform/outbox.ts";
import { eventsConsumer } from "../../platform/streams.ts";
import { startMysql, startNats } from "../support/start-servers.ts";
import { until } from "../support/until.ts";

const log = createLog("test", "silent");

t.test("the outbox", async (t) => {
  const [nats, mysql] = await Promise.all([startNats(t), startMysql(t)]);
  const db = await openDatabase({ url: mysql.url, service: "outbox_test" });
  await migrate(db, [createOutboxTable]);
  const bus = await connectBus({ url: nats.url, service: "test", log });
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const outbox = createOutbox({ db, bus, log, now });
  t.teardown(async () => {
    await outbox.close();
    await bus.close();
    await db.destroy();
  });

  t.test("publishes what was committed, and keeps it until the receipt comes", async (t) => {
    const message = await written(db, now());
    await outbox.publishNow([message]);
    t.equal((await taken(bus))?.id, message.messageId);
    clock.ms += 10_000;
    await outbox.sweep();
    t.equal(await taken(bus), undefined, "a receipt has half a minute to come");
    bus.notify(eventRecorded.subject, { ids: [message.messageId] });
    await until("the row is gone", async () => ((await rows(db)).length === 0 ? true : null));
  });

  t.test("publishes again what nobody has recorded: the stream may have been lost", async (t) => {
    const message = await written(db, now());
    await outbox.publishNow([message]);
    t.ok(await taken(bus));
    clock.ms += 31_000;
    const again: string[] = [];
    const watched = { ...bus, publish: watch(bus, again) };
    const sweeper = createOutbox({ db, bus: watched, log, now });
    await sweeper.sweep();
    await sweeper.close();
    t.same(again, [message.messageId]);
    await db("outbox").del();
  });

  t.test("a process that dies after its commit is stood in for by the sweep of any other", async (t) => {
    const message = await written(db, now());
    clock.ms += 3000;
    await outbox.sweep();
    t.equal((await taken(bus))?.id, message.messageId);
    await db("outbox").del();
  });

  t.test("what was rolled back is never published", async (t) => {
    await t.rejects(
      db.transaction(async (trx) => {
        await writeOutbox(trx, now(), [eventMessage(anEvent(), {})]);
        throw new Error("rolled back");
      }),
    );
    clock.ms += 3000;
    await outbox.sweep();
    t.equal(await taken(bus), undefined);
  });

  t.test("one message that cannot be published holds up no other", async (t) => {
    const bad = await written(db, now());
    const good = await written(db, now());
    await db("outbox").where({ message_id: bad.messageId }).update({ subject: "no.stream.takes.this" });
    clock.ms += 3000;
    await outbox.sweep();
    t.equal((await taken(bus))?.id, good.messageId);
  });
});

function anEvent(): Event {
  return {
    id: newId("event"),
    type: "signature_request.created",
    accountId: newId("account"),
    occurredAt: new Date().toISOString(),
    body: { in: "message", json: "{}" },
    tag: null,
    jobId: null,
    order: null,
    callAddress: null,
  };
}

async function written(db: Database, now: Date): Promise<OutboxMessage> {
  const message = eventMessage(anEvent(), {});
  await db.transaction((trx) => writeOutbox(trx, now, [message]));
  return message;
}

async function taken(bus: Bus): Promise<Event | undefined> {
  const next = await bus.takeOne(eventsConsumer, event, 0);
  next?.ack();
  return next?.message;
}

function rows(db: Database): Promise<unknown[]> {
  return db("outbox").select("*");
}

function watch(bus: Bus, ids: string[]): Bus["publish"] {
  return (subject, message, options) => {
    ids.push(options.messageId);
    return bus.publish(subject, message, options);
  };
}
