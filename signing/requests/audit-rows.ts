import type { Database, Transaction } from "../../platform/database.ts";
import type { AuditEntry } from "../seal/audit-chain.ts";

const table = "audit_entries";

/** The audit trail of a request, or a part of it, from its beginning. */
export async function readTrail(
  db: Database | Transaction,
  requestId: string,
  range?: { offset: number; limit: number },
): Promise<AuditEntry[]> {
  const query = db(table).where({ request_id: requestId }).orderBy("sequence");
  const rows = await (range === undefined ? query : query.offset(range.offset).limit(range.limit));
  return rows.map((row) => ({
    sequence: row.sequence,
    kind: row.kind,
    at: row.at.toISOString(),
    actor: row.actor,
    ip: row.ip,
    userAgent: row.user_agent,
    documentSha256: row.document_sha256,
    details: JSON.parse(row.details),
    previousHash: row.previous_hash,
    hash: row.hash,
  }));
}

/** When this actor last did this, from this address; null if never. */
export async function lastEntryAt(
  trx: Transaction,
  requestId: string,
  { kind, actor, ip }: Pick<AuditEntry, "kind" | "actor" | "ip">,
): Promise<Date | null> {
  const row = await trx(table)
    .where({ request_id: requestId, kind, actor, ip })
    .orderBy("sequence", "desc")
    .first("at");
  return row?.at ?? null;
}

export async function insertEntries(
  trx: Transaction,
  requestId: string,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await trx(table).insert(
    entries.map((entry) => ({
      request_id: requestId,
      sequence: entry.sequence,
      kind: entry.kind,
      at: new Date(entry.at),
      actor: entry.actor,
      ip: entry.ip,
      user_agent: entry.userAgent,
      document_sha256: entry.documentSha256,
      details: JSON.stringify(entry.details),
      previous_hash: entry.previousHash,
      hash: entry.hash,
    })),
  );
}
