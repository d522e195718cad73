import type { Event } from "../../platform/contracts/event.ts";
import { longestWaitMs } from "../delivering/waiting.ts";
import type { LockedEndpoint, LockedEndpoints } from "./lock-endpoints.ts";
import { matches } from "./match.ts";

export type NumberedDelivery = {
  event: Event;
  endpointId: string;
  sequence: number;
  status: "pending" | "held";
  /** Null: nothing is planned, it is held. */
  dueAt: Date | null;
};

/** The deliveries of new events, in the events' order: which endpoints get each, under which number, and when. */
export function numberDeliveries(
  events: readonly Event[],
  endpoints: LockedEndpoints,
  now: Date,
): NumberedDelivery[] {
  const last = new Map<string, number>();
  return events.flatMap((event) =>
    receiversOf(event, endpoints).map((endpoint) => {
      const sequence = (last.get(endpoint.id) ?? endpoint.last_sequence) + 1;
      last.set(endpoint.id, sequence);
      return { event, endpointId: endpoint.id, sequence, ...startOf(event, endpoint, now) };
    }),
  );
}

/** A webhook that its owner or a 410 has disabled gets nothing; one that failures disabled gets it once it lives again. */
function receiversOf(event: Event, { ofAccount, ofCall }: LockedEndpoints): LockedEndpoint[] {
  const called = ofCall(event);
  const registered = ofAccount(event.accountId).filter(
    (endpoint) =>
      matches(endpoint, event) && (endpoint.status === "enabled" || endpoint.disabled_reason === "failures"),
  );
  return called === null ? registered : [...registered, called];
}

/** A later event of its request waits; when nothing is before it, it is released in the same transaction. */
function startOf({ order }: Event, { status }: LockedEndpoint, now: Date) {
  if (status === "disabled") return { status: "held", dueAt: null } as const;
  const waits = order !== null && order.sequence > 1;
  return { status: "pending", dueAt: waits ? new Date(now.getTime() + longestWaitMs) : now } as const;
}
