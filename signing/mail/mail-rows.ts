import type { Database, Transaction } from "../../platform/database.ts";
import type { MailKind } from "../requests/change.ts";

const table = "mails";

/** A mail to send. Its words and links are made when it is sent, from the request as it is then. */
export type QueuedMail = {
  id: number;
  /** Why it is sent, once for all: also its Message-ID, so that a repeat can be known. */
  cause: string;
  kind: MailKind;
  requestId: string;
  signerId: string;
  attempts: number;
};

type NewMail = { kind: MailKind; requestId: string; signerId: string };

export async function queueMails(trx: Transaction, now: Date, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await trx(table).insert(
    mails.map(({ kind, requestId, signerId }) => ({
      cause: kind === "reminder" ? `${kind}:${signerId}:${now.getTime()}` : `${kind}:${signerId}`,
      kind,
      request_id: requestId,
      signer_id: signerId,
      due_at: now,
      created_at: now,
    })),
  );
}

/** Takes up to `limit` due mails in hand until `until`; what another process has is passed over. */
export async function claimMails(
  db: Database,
  now: Date,
  { limit, until }: { limit: number; until: Date },
): Promise<QueuedMail[]> {
  return db.transaction(async (trx) => {
    const rows = await trx(table)
      .where("due_at", "<=", now)
      .orderBy("due_at")
      .limit(limit)
      .forUpdate()
      .skipLocked();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await trx(table).whereIn("id", ids).update({ due_at: until }).increment("attempts", 1);
    return rows.map((row) => ({
      id: row.id,
      cause: row.cause,
      kind: row.kind,
      requestId: row.request_id,
      signerId: row.signer_id,
      attempts: row.attempts + 1,
    }));
  });
}

export async function noteSent(db: Database, id: number, now: Date): Promise<void> {
  await db(table).where({ id }).update({ due_at: null, sent_at: now, last_error: null });
}

/** @param dueAt when to try again; null: given up, or no longer wanted */
export async function noteNotSent(
  db: Database,
  id: number,
  { why, dueAt }: { why: string; dueAt: Date | null },
): Promise<void> {
  await db(table)
    .where({ id })
    .update({ due_at: dueAt, last_error: why.slice(0, 500) });
}
