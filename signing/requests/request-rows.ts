import type { Database, Transaction } from "../../platform/database.ts";
import type { PadesLevel } from "../seal/seal-order.ts";
import { type PageRun, pagesOf, runsOf } from "./page-runs.ts";
import type { SignatureRequest, Signer } from "./request.ts";
import { readSigners } from "./signer-rows.ts";

/** The table of requests (migration 0002); every use names it by this. */
export const requestTable = "signature_requests";

type Row = {
  id: string;
  account_id: string;
  status: SignatureRequest["status"];
  title: string;
  message: string | null;
  external_id: Buffer | null;
  metadata: string | null;
  webhook_tag: string | null;
  enforce_order: number;
  send_emails: number;
  append_audit_page: number;
  document_key: string;
  document_size: number;
  page_sizes: string;
  created_at: Date;
  expires_at: Date;
  seal_due_at: Date | null;
  seal_attempts: number;
  last_signed_at: Date | null;
  completed_at: Date | null;
  cancelled_at: Date | null;
  sealed_key: string | null;
  sealed_size: number | null;
  pades_level: PadesLevel | null;
  trail_length: number;
  trail_head: string;
  event_count: number;
};

/** The request as it is now, or null. To change it, take `lockRequest`. */
export async function readRequest(db: Database, id: string): Promise<SignatureRequest | null> {
  const [row, signers] = await Promise.all([
    db<Row>(requestTable).where({ id }).first(),
    readSigners(db, [id]),
  ]);
  return row === undefined ? null : requestOf(row, signers.get(id) ?? []);
}

/** Requests with their signers, in the order of `ids`. */
export async function readRequests(db: Database, ids: readonly string[]): Promise<SignatureRequest[]> {
  const [rows, signers] = await Promise.all([db<Row>(requestTable).whereIn("id", ids), readSigners(db, ids)]);
  const requests = new Map(rows.map((row) => [row.id, requestOf(row, signers.get(row.id) ?? [])]));
  return ids.flatMap((id) => requests.get(id) ?? []);
}

/**
 * The request under its lock: nobody else changes it before the transaction ends.
 * @param how `skipLocked`: null also when another has the lock
 */
export async function lockRequest(
  trx: Transaction,
  id: string,
  how: { skipLocked: boolean } = { skipLocked: false },
): Promise<SignatureRequest | null> {
  const query = trx<Row>(requestTable).where({ id }).forUpdate();
  const row = await (how.skipLocked ? query.skipLocked() : query).first();
  return row === undefined ? null : requestOf(row, (await readSigners(trx, [id])).get(id) ?? []);
}

export async function insertRequest(trx: Transaction, request: SignatureRequest): Promise<void> {
  await trx(requestTable).insert({
    id: request.id,
    account_id: request.accountId,
    title: request.title,
    message: request.message,
    external_id: request.externalId === null ? null : Buffer.from(request.externalId),
    metadata: request.metadata === null ? null : JSON.stringify(request.metadata),
    webhook_tag: request.webhookTag,
    enforce_order: request.enforceOrder,
    send_emails: request.sendEmails,
    append_audit_page: request.appendAuditPage,
    document_key: request.document.key,
    document_size: request.document.size,
    page_sizes: JSON.stringify(runsOf(request.pages)),
    created_at: request.createdAt,
    expires_at: request.expiresAt,
    ...changing(request),
  });
}

export async function updateRequest(trx: Transaction, request: SignatureRequest): Promise<void> {
  await trx(requestTable).where({ id: request.id }).update(changing(request));
}

/** The columns that a change may touch. */
function changing(request: SignatureRequest) {
  const awaitsSignatures = ["pending", "in_progress"].includes(request.status) && request.sealDueAt === null;
  return {
    status: request.status,
    lapses_at: awaitsSignatures ? request.expiresAt : null,
    seal_due_at: request.sealDueAt,
    seal_attempts: request.sealAttempts,
    last_signed_at: request.lastSignedAt,
    completed_at: request.completedAt,
    cancelled_at: request.cancelledAt,
    sealed_key: request.sealed?.key ?? null,
    sealed_size: request.sealed?.size ?? null,
    pades_level: request.padesLevel,
    trail_length: request.trailEnd.sequence,
    trail_head: request.trailEnd.hash,
    event_count: request.eventCount,
  };
}

function requestOf(row: Row, signers: readonly Signer[]): SignatureRequest {
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    title: row.title,
    message: row.message,
    externalId: row.external_id === null ? null : row.external_id.toString("utf8"),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    webhookTag: row.webhook_tag,
    enforceOrder: row.enforce_order === 1,
    sendEmails: row.send_emails === 1,
    appendAuditPage: row.append_audit_page === 1,
    document: { key: row.document_key, size: row.document_size },
    pages: pagesOf(JSON.parse(row.page_sizes) as PageRun[]),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    sealDueAt: row.seal_due_at,
    sealAttempts: row.seal_attempts,
    lastSignedAt: row.last_signed_at,
    completedAt: row.completed_at,
    cancelledAt: row.cancelled_at,
    sealed: row.sealed_key === null ? null : { key: row.sealed_key, size: row.sealed_size ?? 0 },
    padesLevel: row.pades_level,
    trailEnd: { sequence: row.trail_length, hash: row.trail_head },
    eventCount: row.event_count,
    signers,
  };
}
