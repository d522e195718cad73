import type { Database, Transaction } from "../../platform/database.ts";
import type { Signer } from "./request.ts";

const table = "signers";

type Row = {
  id: string;
  request_id: string;
  position: number;
  name: string;
  email: string;
  sign_order: number;
  invited_at: Date | null;
  reminded_at: Date | null;
  opened_at: Date | null;
  signed_at: Date | null;
  signature_hash: string | null;
};

/** Signers by the id of their request, in the caller's order. */
export async function readSigners(
  db: Database | Transaction,
  requestIds: readonly string[],
): Promise<Map<string, Signer[]>> {
  const rows: Row[] = await db(table).whereIn("request_id", requestIds).orderBy(["request_id", "position"]);
  return Map.groupBy(rows.map(signerOf), ({ requestId }) => requestId);
}

/** Whose signer this is, or null. */
export async function requestOfSigner(db: Database, signerId: string): Promise<string | null> {
  const row = await db(table).where({ id: signerId }).first("request_id");
  return row?.request_id ?? null;
}

export async function insertSigners(
  trx: Transaction,
  requestId: string,
  signers: readonly Signer[],
): Promise<void> {
  await trx(table).insert(
    signers.map((signer) => ({
      id: signer.id,
      request_id: requestId,
      position: signer.position,
      name: signer.name,
      email: signer.email,
      sign_order: signer.order,
      ...changing(signer),
    })),
  );
}

export async function updateSigner(trx: Transaction, signer: Signer): Promise<void> {
  await trx(table).where({ id: signer.id }).update(changing(signer));
}

/** The columns that a change may touch. */
function changing(signer: Signer) {
  return {
    invited_at: signer.invitedAt,
    reminded_at: signer.remindedAt,
    opened_at: signer.openedAt,
    signed_at: signer.signedAt,
    signature_hash: signer.signatureHash,
  };
}

function signerOf(row: Row): Signer & { requestId: string } {
  return {
    requestId: row.request_id,
    id: row.id,
    position: row.position,
    name: row.name,
    email: row.email,
    order: row.sign_order,
    invitedAt: row.invited_at,
    remindedAt: row.reminded_at,
    openedAt: row.opened_at,
    signedAt: row.signed_at,
    signatureHash: row.signature_hash,
  };
}
