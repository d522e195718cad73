import { z } from "zod";
import { blobRef } from "./blob.ts";
import { accountId, eventId } from "./ids.ts";

export const signatureEventTypes = [
  "signature_request.created",
  "signature_request.signed",
  "signature_request.completed",
  "signature_request.cancelled",
  "signature_request.expired",
] as const;

export const jobEventTypes = [
  "pdf.compress.completed",
  "pdf.compress.failed",
  "pdf.merge.completed",
  "pdf.merge.failed",
  "pdf.split.completed",
  "pdf.split.failed",
  "pdf.ocr.completed",
  "pdf.ocr.failed",
] as const;

/** Every event that a customer may subscribe to. */
export const eventTypes = [...signatureEventTypes, ...jobEventTypes] as const;
export const eventType = z.enum(eventTypes);
export type EventType = z.infer<typeof eventType>;

/**
 * The bytes that every delivery of the event sends and signs, frozen when the event was made. A job's result is
 * too large for a message and lies in a blob of the event's own.
 */
export const eventBody = z.discriminatedUnion("in", [
  z.object({ in: z.literal("message"), json: z.string() }),
  z.object({ in: z.literal("blob"), blob: blobRef }),
]);
export type EventBody = z.infer<typeof eventBody>;

/** The one address that a job's call named by `webhook_url`; the secret travels encrypted (platform/secret-box.ts). */
const callAddress = z.object({ url: z.string(), sealedSecret: z.string().nullable() });

/** A fact announced by the service that owns it, written to that service's outbox in the same transaction. */
export const event = z.object({
  id: eventId,
  type: eventType,
  accountId,
  occurredAt: z.iso.datetime(),
  body: eventBody,
  /** `webhook_tag` of the signature request; null for untagged requests and for jobs. */
  tag: z.string().nullable(),
  /** Sent as `X-Service-Job-ID`; null for signature events. */
  jobId: z.string().nullable(),
  /** Events of one key reach one endpoint in the order of `sequence` (from 1). Null where order means nothing. */
  order: z.object({ key: z.string(), sequence: z.number().int().positive() }).nullable(),
  callAddress: callAddress.nullable(),
});
export type Event = z.infer<typeof event>;

/** The subject of an event in the stream of events. */
export function eventSubject(type: EventType): string {
  return `events.${type}`;
}

/**
 * Told by the webhooks service once an event is in its database. Until then the owner's outbox keeps publishing
 * it: a stream that was wiped loses nothing.
 */
export const eventRecorded = { subject: "events-recorded", message: z.object({ ids: z.array(eventId) }) };
