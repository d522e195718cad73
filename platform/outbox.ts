import type { Bus } from "./bus.ts";
import { type Event, event, eventRecorded, eventSubject } from "./contracts/event.ts";
import type { Trail } from "./contracts/trail.ts";
import type { Database, Migration, Transaction } from "./database.ts";
import type { Logger } from "./log.ts";
import { repeat } from "./repeat.ts";

/**
 * What must be told to others is written here in the transaction that made it true, and published after the commit.
 * A row stays until it is confirmed: by the stream, or for an event by the webhooks service, since a stream may be
 * lost after it confirmed.
 */
export type OutboxMessage = {
  messageId: string;
  subject: string;
  payload: object;
  trail: Trail;
  awaitsReceipt: boolean;
};

const table = "outbox";
const sweepEveryMs = 5000;
/** A message whose first publishing is under way is left alone this long. */
const graceMs = 2000;
/** An event that nobody has recorded is published again after this. */
const receiptWithinMs = 30_000;
const batchSize = 200;

export const createOutboxTable: Migration = {
  name: "0001-tell-others-after-the-commit",
  up: (db) =>
    db.schema.createTable(table, (column) => {
      column.bigIncrements("id");
      column.string("message_id", 64).notNullable().unique();
      column.string("subject", 100).notNullable();
      column.specificType("payload", "LONGTEXT").notNullable();
      column.string("trail", 255).notNullable();
      column.boolean("awaits_receipt").notNullable();
      // Null once nothing more is to be done; the sweep reads by it.
      column.datetime("due_at", { precision: 3 }).nullable().index();
      column.datetime("created_at", { precision: 3 }).notNullable();
    }),
  down: (db) => db.schema.dropTable(table),
};

/** Writes messages in the caller's transaction. Publish them after its commit with `Outbox.publishNow`. */
export async function writeOutbox(
  trx: Transaction,
  now: Date,
  messages: readonly OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await trx(table).insert(
    messages.map(({ messageId, subject, payload, trail, awaitsReceipt }) => ({
      message_id: messageId,
      subject,
      payload: JSON.stringify(payload),
      trail: JSON.stringify(trail),
      awaits_receipt: awaitsReceipt,
      due_at: new Date(now.getTime() + graceMs),
      created_at: now,
    })),
  );
}

/** An event as an outbox message: its id is the message's, so repeats are known everywhere. */
export function eventMessage(of: Event, trail: Trail): OutboxMessage {
  return {
    messageId: of.id,
    subject: eventSubject(of.type),
    payload: event.parse(of),
    trail,
    awaitsReceipt: true,
  };
}

export type Outbox = {
  /** Publishes what was just committed, without waiting for the sweep. Never throws: the sweep comes after. */
  publishNow: (messages: readonly OutboxMessage[]) => Promise<void>;
  /** Publishes everything that is due, oldest first. */
  sweep: () => Promise<void>;
  close: () => Promise<void>;
};

type Deps = { db: Database; bus: Bus; log: Logger; now?: () => Date };

/** Publishes a service's outbox. Any number of processes may share one table: a repeat is harmless. */
export function createOutbox({ db, bus, log, now = () => new Date() }: Deps): Outbox {
  const stopListening = bus.listen(eventRecorded.subject, eventRecorded.message, ({ ids }) => {
    void db(table)
      .whereIn("message_id", ids)
      .del()
      .catch((err) => log.warn({ err }, "receipts could not be noted; the events will be published again"));
  });

  async function publish({
    messageId,
    subject,
    payload,
    trail,
    awaitsReceipt,
  }: OutboxMessage): Promise<void> {
    await bus.publish(subject, payload, { messageId, trail });
    const row = db(table).where({ message_id: messageId });
    if (awaitsReceipt) await row.update({ due_at: new Date(now().getTime() + receiptWithinMs) });
    else await row.del();
  }

  async function publishNow(messages: readonly OutboxMessage[]): Promise<void> {
    for (const message of messages) {
      await publish(message).catch((err) =>
        log.warn({ err, subject: message.subject }, "left for the sweep to publish"),
      );
    }
  }

  async function sweep(): Promise<void> {
    const due = await db(table).where("due_at", "<=", now()).orderBy("id").limit(batchSize);
    let failed = 0;
    for (const row of due) {
      await publish({
        messageId: row.message_id,
        subject: row.subject,
        payload: JSON.parse(row.payload),
        trail: JSON.parse(row.trail),
        awaitsReceipt: Boolean(row.awaits_receipt),
      }).catch((err) => {
        failed += 1;
        log.warn({ err, subject: row.subject }, "message could not be published");
        // One that can never be published must not stand before the others; more than a few, and the bus is away.
        if (failed > 3) throw err;
      });
    }
    if (due.length > failed) log.info({ count: due.length - failed }, "outbox published what was due");
  }

  const sweeper = repeat(sweep, sweepEveryMs, (err) => log.warn({ err }, "outbox could not be swept"));
  return {
    publishNow,
    sweep,
    close: async () => {
      stopListening();
      await sweeper.stop();
    },
  };
}
