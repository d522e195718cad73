import { z } from "zod";

/** What each kind of id begins with. A reader of a log sees at a glance what is meant. */
const prefixes = {
  job: "job_",
  signatureRequest: "sr_",
  signer: "sgn_",
  webhook: "wh_",
  event: "evt_",
  delivery: "dlv_",
  request: "req_",
  account: "acc_",
  key: "key_",
} as const;

export type IdKind = keyof typeof prefixes;

/** Crockford's base 32 in lower case, as ULID uses it: no i, l, o, u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Prefix + ULID (github.com/ulid/spec): 48 bits of time, then 80 bits of randomness, so that ids sort by age
 * and cannot be guessed.
 * @param timeMs Unix time in milliseconds
 * @param random ten random bytes
 */
export function formatId(kind: IdKind, timeMs: number, random: Uint8Array): string {
  let bits = BigInt(timeMs);
  for (const byte of random.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += alphabet[Number((bits >> shift) & 31n)];
  return prefixes[kind] + text;
}

function idOf(kind: IdKind) {
  return z
    .string()
    .regex(new RegExp(`^${prefixes[kind]}[${alphabet}]{26}$`), `must look like ${prefixes[kind]}…`);
}

export const jobId = idOf("job");
export const signatureRequestId = idOf("signatureRequest");
export const signerId = idOf("signer");
export const webhookId = idOf("webhook");
export const eventId = idOf("event");
export const deliveryId = idOf("delivery");
export const accountId = idOf("account");
export const keyId = idOf("key");
