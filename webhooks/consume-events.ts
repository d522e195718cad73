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
const tryAgainMs = 2000;

/**
 * Takes events from the stream into the database, and tells their owners. Acked only once they are recorded: a crash
 * before repeats an event, never loses it.
 */
export function consumeEvents({ bus, recordEvents, begin, log }: Deps): Promise<() => Promise<void>> {
  const receipt = createBatch(async (ids: string[]) => {
    bus.notify(eventRecorded.subject, { ids });
    return ids;
  }, 1000);

  async function recordAll(events: Event[]): Promise<(unknown | null)[]> {
    try {
      begin(await recordEvents(events));
      return events.map(() => null);
    } catch (error) {
      // An event that the database refuses must not hold up those that came with it.
      if (events.length === 1 || !("sqlState" in (error as object))) {
        log.warn({ err: error, count: events.length }, "events could not be recorded; they are taken again");
        return events.map(() => error);
      }
      const alone = [];
      for (const event of events) alone.push(...(await recordAll([event])));
      return alone;
    }
  }

  const record = createBatch(recordAll, mostInTransaction);
  return bus.take(eventsConsumer, eventSchema, mostAtOnce, async ({ message, ack, later }) => {
    if ((await record(message)) !== null) return later(tryAgainMs);
    ack();
    await receipt(message.id);
  });
}
