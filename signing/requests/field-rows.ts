import type { Database, Transaction } from "../../platform/database.ts";
import type { Field } from "./request.ts";

const table = "fields";

/** Fields of a request by number; of one signer, or of all. */
export async function readFields(
  db: Database | Transaction,
  requestId: string,
  signerId?: string,
): Promise<Field[]> {
  const query = db(table).where({ request_id: requestId }).orderBy("number");
  const rows = await (signerId === undefined ? query : query.where({ signer_id: signerId }));
  return rows.map((row) => ({
    number: row.number,
    signerId: row.signer_id,
    type: row.type,
    box: { page: row.page, x: row.x, y: row.y, width: row.width, height: row.height },
    required: row.required === 1,
    label: row.label,
    ink: row.ink === null ? null : JSON.parse(row.ink),
  }));
}

/** Writes fields whole: new ones, and those that got their value. */
export async function writeFields(
  trx: Transaction,
  requestId: string,
  fields: readonly Field[],
): Promise<void> {
  if (fields.length === 0) return;
  await trx(table)
    .insert(fields.map((field) => rowOf(requestId, field)))
    .onConflict(["request_id", "number"])
    .merge(["ink"]);
}

/** The next number that no field of the request has. */
export async function nextFieldNumber(trx: Transaction, requestId: string): Promise<number> {
  const row = await trx(table).where({ request_id: requestId }).max({ last: "number" }).first();
  return Number(row?.last ?? 0) + 1;
}

function rowOf(requestId: string, { number, signerId, type, box, required, label, ink }: Field) {
  return {
    request_id: requestId,
    number,
    signer_id: signerId,
    type,
    ...box,
    required,
    label,
    ink: ink === null ? null : JSON.stringify(ink),
  };
}
