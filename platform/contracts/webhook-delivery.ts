import { z } from "zod";
import { eventTypes } from "./event.ts";

/**
 * `pending`: to be tried, or being tried. `held`: its webhook is disabled, enabling sends it. `failed`: the last try
 * failed, nothing more happens by itself.
 */
export const deliveryStatus = z.enum(["pending", "delivered", "failed", "held"]);
export type DeliveryStatus = z.infer<typeof deliveryStatus>;

/** What a webhook may be sent: every event that can be subscribed to, and the test that a customer asks for. */
export const deliveredType = z.enum([...eventTypes, "webhook.test"]);
export type DeliveredType = z.infer<typeof deliveredType>;

/** What came of one attempt, by name: the first word a customer reads when a webhook does not arrive. */
export const attemptOutcome = z.enum([
  /** 2xx in time. */
  "delivered",
  /** 410: the receiver wants no more. */
  "gone",
  /** 3xx: redirects are not followed. */
  "redirected",
  /** Any other status. */
  "refused",
  /** No whole answer in time. */
  "timed_out",
  /** The name could not be resolved, or nothing accepted the connection. */
  "unreachable",
  /** The certificate is expired, self-signed or for another name, or TLS failed. */
  "tls_failed",
  /** The connection broke off before an answer. */
  "connection_closed",
  /** What came back is not HTTP. */
  "invalid_answer",
  /** The URL leads to an address that is not public. */
  "url_not_allowed",
  /** A fault of ours, not the receiver's; tried again. */
  "internal_error",
]);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;
