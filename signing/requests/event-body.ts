import type { Event, signatureEventTypes } from "../../platform/contracts/event.ts";
import type { JsonObject } from "../seal/canonical-json.ts";
import type { SignatureRequest } from "./request.ts";

export type SignatureEventType = (typeof signatureEventTypes)[number];

/** An event before it has an id: what the request was like at that step. */
export type EventDraft = {
  type: SignatureEventType;
  at: Date;
  /** From 1 within the request: the order in which one webhook gets them. */
  sequence: number;
  data: Record<string, unknown>;
};

/** `data` of every signature event, and what this one is about. */
export function eventData(request: SignatureRequest, about: JsonObject): Record<string, unknown> {
  const { id, title, status, externalId, metadata } = request;
  return { id, title, status, external_id: externalId, metadata, ...about };
}

/** Freezes an event: these bytes are what every delivery sends and signs. */
export function eventOf(request: SignatureRequest, draft: EventDraft, id: string): Event {
  const json = JSON.stringify({
    event: draft.type,
    signature_request_id: request.id,
    data: draft.data,
    timestamp: draft.at.toISOString(),
  });
  return {
    id,
    type: draft.type,
    accountId: request.accountId,
    occurredAt: draft.at.toISOString(),
    body: { in: "message", json },
    tag: request.webhookTag,
    jobId: null,
    order: { key: request.id, sequence: draft.sequence },
    callAddress: null,
  };
}
