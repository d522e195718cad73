import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export type SecretBox = { seal: (secret: string) => string; open: (sealed: string) => string };

/**
 * Encrypts what must be read again but may not lie in a database or a stream in plain: AES-256-GCM with a random
 * nonce (NIST SP 800-38D), written `v1.<nonce>.<tag>.<ciphertext>` in base64url.
 * @param key 32 bytes, the same for all services
 */
export function createSecretBox(key: Uint8Array): SecretBox {
  if (key.length !== 32)
    throw new Error("SECRETS_KEY must be 32 bytes in base64; make one with: openssl rand -base64 32");
  return {
    seal(secret) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return ["v1", ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))].join(
        ".",
      );
    },
    open(sealed) {
      const [version, nonce, tag, body] = sealed.split(".");
      if (version !== "v1" || nonce === undefined || tag === undefined || body === undefined) {
        throw new Error("not a sealed secret of version 1");
      }
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"));
      decipher.setAuthTag(Buffer.from(tag, "base64url"));
      return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
