import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * An API key: `sk_live_`, 32 random bytes in base 62 (43 characters), their CRC-32 in base 62 (6 characters). The
 * checksum lets a mistyped key be refused, and a leaked one be found by scanners, without a look-up.
 */
const prefix = "sk_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 43;
const checksumLength = 6;
const form = new RegExp(`^${prefix}([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`);

/** A new key. It is shown once and stored only as `hashKey` of it. */
export function newApiKey(random: Uint8Array = randomBytes(32)): string {
  const number = [...random].reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const secret = base62(number, secretLength);
  return prefix + secret + checksumOf(secret);
}

/** Has it the form of a key, and is its checksum right? */
export function isApiKey(text: string): boolean {
  const [, secret, checksum] = form.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** SHA-256 in lower-case hex. Unsalted: a key is random enough that no table of hashes can hold it. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** What may be shown of a key for ever: its beginning and its end. */
export function shownParts(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, prefix.length + 4), lastFour: key.slice(-4) };
}

function checksumOf(secret: string): string {
  return base62(BigInt(crc32(secret)), checksumLength);
}

function base62(number: bigint, length: number): string {
  let text = "";
  for (let rest = number; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
