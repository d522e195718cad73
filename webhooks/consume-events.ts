import type { Bus } from "../platform/bus.ts";
import { type Event, eventRecorded, event as eventSchema } from "../platform/contracts/event.ts";
import type { Logger } from "../platform/log.ts";
import { eventsConsumer } from "../platform/streams.ts";
import { createBatch } from "./batch.ts";
import type { Task } from "./delivering/task.ts";
import type { RecordEvents } from "./recording/record-events.ts";

type Deps = {
  bus: Bus;
  recordEvents: RecordEvents;
  begin: (tasks: readonly Task[]) => void;
  log: Logger;
};

const mostAtOnce = 400;
const mostInTransaction = 100;
const mostInReceipt = 1000;
const tryAgainMs = 2000;

/**
 * Takes events from the stream into the database, and tells their owners. Acked only once they are recorded: a crash
 * before repeats an event, never loses it.
 */
export function consumeEvents({ bus, recordEvents, begin, log }: Deps): Promise<() => Promise<void>> {
  const record = createBatch<Event>(async (events) => begin(await recordEvents(events)), mostInTransaction);
  const receipt = createBatch<string>(
    async (ids) => bus.notify(eventRecorded.subject, { ids }),
    mostInReceipt,
  );
  return bus.take(eventsConsumer, eventSchema, mostAtOnce, async ({ message, trail, ack, later }) => {
    try {
      await record(message);
    } catch (err) {
      log.warn({ ...trail, err, eventId: message.id }, "event could not be recorded; it is taken again");
      return later(tryAgainMs);
    }
    ack();
    await receipt(message.id);
  });
}
