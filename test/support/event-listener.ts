import type { Test } from "tap";
import { connectBus } from "../../platform/bus.ts";
import { type Event, event, eventRecorded } from "../../platform/contracts/event.ts";
import { createLog } from "../../platform/log.ts";
import { eventsConsumer } from "../../platform/streams.ts";
import type { TestSystem } from "./start-system.ts";

export type EventListener = {
  /** Every event once, in the order in which they first came. */
  events: Event[];
  /** Resolves with a request's first event of this type. */
  heard: (type: Event["type"], requestId: string) => Promise<Event>;
};

/** Stands where the webhooks service would: takes events from the stream and says that they are recorded. */
export async function listenToEvents(t: Test, system: TestSystem): Promise<EventListener> {
  const bus = await connectBus({ url: system.natsUrl, service: "test", log: createLog("test", "silent") });
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  const stop = await bus.take(eventsConsumer, event, 100, async ({ message, ack }) => {
    if (!events.some(({ id }) => id === message.id)) events.push(message);
    bus.notify(eventRecorded.subject, { ids: [message.id] });
    ack();
    for (const tell of waiting) tell();
    waiting.clear();
  });
  t.teardown(async () => {
    await stop();
    await bus.close();
  });

  async function heard(type: Event["type"], requestId: string): Promise<Event> {
    for (;;) {
      const found = events.find((one) => one.type === type && one.order?.key === requestId);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }

  return { events, heard };
}
