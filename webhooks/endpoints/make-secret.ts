import { randomBytes } from "node:crypto";

/** A secret as Standard Webhooks writes it: 256 random bits in base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
