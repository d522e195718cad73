import type { Event } from "../../platform/contracts/event.ts";

export type Subscription = { events: readonly string[]; tag: string | null };

/**
 * Whether a registered webhook gets an event: it must subscribe to the type; an untagged one gets all, a tagged one
 * only events of requests with an equal tag, so never an untagged request's and never a job's.
 */
export function matches({ events, tag }: Subscription, event: Pick<Event, "type" | "tag">): boolean {
  return events.includes(event.type) && (tag === null || tag === event.tag);
}
