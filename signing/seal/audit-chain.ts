/**
 * The audit trail of a signature request as a hash chain: each entry is hashed together with the hash of the one
 * before, so nothing in the middle can be changed, dropped or moved without every later hash telling.
 */
import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "./canonical-json.ts";

/** Stored in rows and in sealed PDFs for ever: kinds are added, never renamed. */
export const auditKinds = [
  "created",
  "invited",
  "opened",
  "consented",
  "signed",
  "reminded",
  "cancelled",
  "expired",
  "sealed",
  "downloaded",
] as const;
export type AuditKind = (typeof auditKinds)[number];

/** What happened, as the service that witnessed it says. */
export type AuditFacts = {
  kind: AuditKind;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  /** Who did it, for a reader: `Ada Lovelace <ada@example.com>`, `API key Production (sk_live_…x1y2)`, `service`. */
  actor: string;
  /** Null where no one's connection caused it (a sweep, the seal). */
  ip: string | null;
  userAgent: string | null;
  /** SHA-256 in lower-case hex of the exact bytes that were shown, signed, made or handed out; null for none. */
  documentSha256: string | null;
  /** What else belongs to this kind; of a `signed` entry it is `SignedDetails` (signature-hash.ts). */
  details: JsonObject;
};

/** `hash` is the SHA-256, in lower-case hex, of the RFC 8785 text of all the other members. */
export type AuditEntry = AuditFacts & {
  /** From 1, without gaps. */
  sequence: number;
  previousHash: string;
  hash: string;
};

/** What the first entry has for `previousHash`. */
export const chainStart = "0".repeat(64);

/** The entry that follows `previous` (null at the beginning of a request). */
export function appendEntry(
  previous: Pick<AuditEntry, "sequence" | "hash"> | null,
  facts: AuditFacts,
): AuditEntry {
  const { kind, at, actor, ip, userAgent, documentSha256, details } = facts;
  const unhashed = {
    sequence: previous === null ? 1 : previous.sequence + 1,
    kind,
    at,
    actor,
    ip,
    userAgent,
    documentSha256,
    details,
    previousHash: previous === null ? chainStart : previous.hash,
  };
  return { ...unhashed, hash: hashOf(unhashed) };
}

/** What checking a chain found. `sequence` is the first entry that is not as it was written. */
export type ChainVerdict =
  | { ok: true; head: string }
  | { ok: false; sequence: number; fault: "changed" | "missing" | "reordered"; message: string };

/**
 * Checks a whole chain from its first entry.
 * @param head the hash that the last entry must have, where it is known from elsewhere (a seal): without it,
 *   entries cut off at the end cannot be noticed.
 */
export function verifyChain(entries: readonly AuditEntry[], head?: string): ChainVerdict {
  let previous: AuditEntry | null = null;
  for (const entry of entries) {
    const fault = faultAfter(previous, entry);
    if (fault) return fault;
    previous = entry;
  }
  const last: string = previous === null ? chainStart : previous.hash;
  if (head !== undefined && head !== last) return endFault(entries.length, entries.at(-1));
  return { ok: true, head: last };
}

function faultAfter(previous: AuditEntry | null, entry: AuditEntry): ChainVerdict | undefined {
  const due = (previous?.sequence ?? 0) + 1;
  if (entry.sequence !== due) return orderFault(due, entry.sequence);
  const { hash, ...rest } = entry;
  if (hashOf(rest) !== hash) return changed(due, "its content does not give its hash");
  const expected = previous?.hash ?? chainStart;
  if (entry.previousHash === expected) return undefined;
  // Both entries hash to what they say, so the earlier one was rewritten together with its hash.
  return changed(Math.max(1, due - 1), `entry ${due} was chained to another one`);
}

function orderFault(due: number, found: number): ChainVerdict {
  if (Number.isInteger(found) && found > due) {
    return { ok: false, sequence: due, fault: "missing", message: `Entry ${due} is missing.` };
  }
  const message = `Entry ${due} should stand where entry ${found} stands.`;
  return { ok: false, sequence: due, fault: "reordered", message };
}

function endFault(count: number, last: AuditEntry | undefined): ChainVerdict {
  const sequence = (last?.sequence ?? 0) + 1;
  const message = `The chain ends after ${count} entries with another hash than the seal names: entry ${sequence} is missing, or entry ${Math.max(1, count)} was rewritten.`;
  return { ok: false, sequence, fault: "missing", message };
}

function changed(sequence: number, why: string): ChainVerdict {
  return { ok: false, sequence, fault: "changed", message: `Entry ${sequence} was changed: ${why}.` };
}

function hashOf(unhashed: Omit<AuditEntry, "hash">): string {
  return createHash("sha256").update(canonicalJson(unhashed)).digest("hex");
}
