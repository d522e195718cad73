import type { Database } from "../../platform/database.ts";

const table = "idempotency_keys";

export type IdempotencyRow = {
  newId: string;
  /** Null until the first call's body has arrived. */
  fingerprint: string | null;
  holder: string;
  heldUntil: Date;
  /** Null while the first call runs. */
  sealedAnswer: string | null;
};

/** Makes the row, or changes nothing if there is one that has not expired. @returns whether it was made */
export async function claimRow(
  db: Database,
  id: string,
  { newId, holder, heldUntil, now, expiresAt }: Claim,
): Promise<boolean> {
  await db(table).where({ id }).andWhere("expires_at", "<=", now).del();
  // IGNORE passes over the row that another call made first, and nothing else can fail here.
  const [made] = await db.raw(
    `INSERT IGNORE INTO ${table} (id, new_id, holder, held_until, expires_at) VALUES (?, ?, ?, ?, ?)`,
    [id, newId, holder, heldUntil, expiresAt],
  );
  return made.affectedRows === 1;
}

type Claim = { newId: string; holder: string; heldUntil: Date; now: Date; expiresAt: Date };

export async function findRow(db: Database, id: string): Promise<IdempotencyRow | null> {
  const row = await db(table).where({ id }).first();
  if (row === undefined) return null;
  return {
    newId: row.new_id,
    fingerprint: row.fingerprint,
    holder: row.holder,
    heldUntil: row.held_until,
    sealedAnswer: row.sealed_answer,
  };
}

/** Takes an unfinished call over from a holder that shows no sign of life. @returns whether it was still to be had */
export async function takeOver(
  db: Database,
  id: string,
  { from, holder, heldUntil, now }: { from: string; holder: string; heldUntil: Date; now: Date },
): Promise<boolean> {
  const taken = await db(table)
    .where({ id, holder: from, sealed_answer: null })
    .andWhere("held_until", "<=", now)
    .update({ holder, held_until: heldUntil });
  return taken === 1;
}

/** Changes the row as long as the call still holds it. */
export async function changeHeld(
  db: Database,
  { id, holder }: { id: string; holder: string },
  change: { heldUntil?: Date; fingerprint?: string; sealedAnswer?: string },
): Promise<void> {
  const columns = {
    held_until: change.heldUntil,
    fingerprint: change.fingerprint,
    sealed_answer: change.sealedAnswer,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  await db(table).where({ id, holder }).update(Object.fromEntries(given));
}

/** Lets the key be used anew, after an answer that is not kept. */
export async function releaseRow(
  db: Database,
  { id, holder }: { id: string; holder: string },
): Promise<void> {
  await db(table).where({ id, holder, sealed_answer: null }).del();
}

export async function removeExpiredRows(db: Database, now: Date): Promise<void> {
  await db(table).where("expires_at", "<=", now).limit(10_000).del();
}
