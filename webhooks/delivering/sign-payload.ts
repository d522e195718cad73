import { createHmac } from "node:crypto";

type Signing = {
  secret: string;
  /** The secret before a rotation, while it signs too. */
  previousSecret: string | null;
  /** The event's id: the same on every try. */
  messageId: string;
  /** Unix seconds of this attempt, so that a receiver can refuse a replay. */
  timestamp: number;
};

export type PayloadSigner = {
  update: (chunk: Uint8Array) => void;
  /** Once, after the last chunk. */
  headers: () => Record<string, string>;
};

/**
 * Signs a body that comes in chunks, in one pass: `X-Service-Signature` over the raw bytes, keyed with the secret's
 * UTF-8 bytes, and the headers of Standard Webhooks 1.0 over `id.timestamp.body`.
 */
export function signPayload({ secret, previousSecret, messageId, timestamp }: Signing): PayloadSigner {
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const plain = secrets.map((key) => createHmac("sha256", Buffer.from(key, "utf8")));
  const standard = secrets.map((key) =>
    createHmac("sha256", standardKey(key)).update(`${messageId}.${timestamp}.`),
  );
  return {
    update(chunk) {
      for (const hmac of [...plain, ...standard]) hmac.update(chunk);
    },
    headers() {
      const [signature, previous] = plain.map((hmac) => `sha256=${hmac.digest("hex")}`);
      return {
        "x-service-signature": signature ?? "",
        ...(previous === undefined ? {} : { "x-service-signature-previous": previous }),
        "webhook-id": messageId,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": standard.map((hmac) => `v1,${hmac.digest("base64")}`).join(" "),
      };
    },
  };
}

/** Standard Webhooks writes a key as `whsec_` and base64; any other secret is used as it stands. */
function standardKey(secret: string): Buffer {
  const prefix = "whsec_";
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), "base64")
    : Buffer.from(secret, "utf8");
}
