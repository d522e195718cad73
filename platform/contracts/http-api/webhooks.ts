import { z } from "zod";
import { eventType } from "../event.ts";
import { deliveryId, eventId, webhookId } from "../ids.ts";
import { attemptOutcome, deliveredType, deliveryStatus } from "../webhook-delivery.ts";
import { pageQuery, pagination, timestamp } from "./envelope.ts";

export const maxWebhooksPerAccount = 100;
export const minSecretLength = 16;
export const maxSecretLength = 128;

/** What the URL guard cannot know is judged here; addresses and names are its business. */
const url = z
  .string()
  .trim()
  .max(2048, "must not be longer than 2,048 characters")
  .refine((text) => URL.canParse(text), "must be a whole URL, beginning with https:// or http://")
  .refine(hasNoCredentials, "must not hold a user name or a password: prove who we are by the signature");

function hasNoCredentials(text: string): boolean {
  const parsed = URL.parse(text);
  return parsed === null || (parsed.username === "" && parsed.password === "");
}

const events = z
  .array(eventType)
  .min(1, "must name at least one event")
  .max(50, "must not name more than 50 events")
  .transform((names) => [...new Set(names)]);

export const webhookTag = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,50}$/, "must be 1 to 50 letters, digits, hyphens and underscores");

/** A `whsec_` secret must be one that Standard Webhooks libraries take: base64 of 24 to 64 bytes. */
export const webhookSecret = z
  .string()
  .min(minSecretLength, `must be at least ${minSecretLength} characters long`)
  .max(maxSecretLength, `must not be longer than ${maxSecretLength} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not hold control characters")
  .refine(isUsableIfStandard, "begins with whsec_ but is not base64 of 24 to 64 bytes after that");

function isUsableIfStandard(secret: string): boolean {
  if (!secret.startsWith("whsec_")) return true;
  const encoded = secret.slice("whsec_".length);
  const size = Buffer.from(encoded, "base64").length;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0 && size >= 24 && size <= 64;
}

const notifyEmail = z.email("must be an e-mail address").max(254);

export const createWebhookBody = z.object({
  url: url.describe("Where events are sent: http or https, a public address."),
  events: events.describe("The events to send."),
  tag: webhookTag
    .nullish()
    .describe("Send only events of signature requests whose `webhook_tag` is equal. Without it: all events."),
  webhook_secret: webhookSecret.nullish().describe("The signing secret; one is made when it is left out."),
  notify_email: notifyEmail
    .nullish()
    .describe("Who is told when the webhook is switched off after five days of nothing but failures."),
});
export type CreateWebhookBody = z.infer<typeof createWebhookBody>;

export const changeWebhookBody = z.object({
  url: url.optional(),
  events: events.optional(),
  tag: webhookTag.nullish().describe("null removes the tag."),
  notify_email: notifyEmail.nullish(),
  status: z
    .enum(["enabled", "disabled"])
    .optional()
    .describe("Enabling delivers what was held back; while disabled by you, new events are not kept."),
});
export type ChangeWebhookBody = z.infer<typeof changeWebhookBody>;

/** An id in a path; one that cannot be any is as unknown as one that does not exist. */
export const webhookPath = z.object({ webhook_id: z.string() });
export const webhookEventPath = webhookPath.extend({ sequence: z.string() });
export const deliveryPath = z.object({ delivery_id: z.string() });

export const webhook = z.object({
  id: webhookId,
  url: z.string(),
  events: z.array(eventType),
  tag: z.string().nullable(),
  status: z.enum(["enabled", "disabled"]),
  /** `user`: by PATCH. `gone`: the receiver answered 410. `failures`: five days of nothing but failures. */
  disabled_reason: z.enum(["user", "gone", "failures"]).nullable(),
  notify_email: z.string().nullable(),
  /** The `X-Service-Sequence` of the newest event for this webhook; 0 before the first. */
  last_sequence: z.number().int().nonnegative(),
  /** The first failure since the last success. */
  failing_since: timestamp.nullable(),
  /** Until when the secret before the last rotation signs too. */
  previous_secret_expires_at: timestamp.nullable(),
  created_at: timestamp,
});
export type WebhookData = z.infer<typeof webhook>;

/** The secret is in this answer and in no later one. */
export const createdWebhook = webhook.extend({ webhook_secret: z.string() });
export const webhookList = z.object({ webhooks: z.array(webhook), pagination });
export const deletedWebhook = z.object({ id: webhookId, deleted: z.literal(true) });

export const rotatedSecret = z.object({
  id: webhookId,
  webhook_secret: z.string(),
  previous_secret_expires_at: timestamp,
});

export const defaultSecret = z.object({ webhook_secret: z.string() });

export const attempt = z.object({
  number: z.number().int().positive(),
  started_at: timestamp,
  duration_ms: z.number().int().nonnegative(),
  outcome: attemptOutcome,
  status_code: z.number().int().nullable(),
  /** The first 2 KB of the answer's body; bytes that are not UTF-8 are replaced. */
  response_body: z.string().nullable(),
});

export const delivery = z.object({
  id: deliveryId,
  webhook_id: webhookId,
  event_id: eventId,
  event: deliveredType,
  sequence: z.number().int().positive(),
  status: deliveryStatus,
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  attempts: z.array(attempt),
});
export type DeliveryData = z.infer<typeof delivery>;

export const listDeliveriesQuery = pageQuery.extend({ status: deliveryStatus.optional() });
export const deliveryList = z.object({ deliveries: z.array(delivery), pagination });

export const retryFailedBody = z.object({
  since: z.iso.datetime({ offset: true }).describe("Retries every failed delivery of events since then."),
});
export const retriedDeliveries = z.object({ id: webhookId, retried: z.number().int().nonnegative() });

export const pullEventsQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0).describe("The last sequence that you have."),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const pulledEvent = z.object({
  sequence: z.number().int().positive(),
  event_id: eventId,
  event: deliveredType,
  /** As a delivery sends them; the signatures are over `body` exactly as it stands, in UTF-8. */
  headers: z.record(z.string(), z.string()),
  /** null when it is larger than 64 KB: fetch `body_url`. */
  body: z.string().nullable(),
  body_url: z.string(),
});
export const pulledEvents = z.object({
  events: z.array(pulledEvent),
  /** The oldest sequence still kept; events are kept for 30 days. */
  first_sequence: z.number().int().nonnegative(),
  last_sequence: z.number().int().nonnegative(),
  has_more: z.boolean(),
});
