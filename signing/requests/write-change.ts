import type { Trail } from "../../platform/contracts/trail.ts";
import type { Transaction } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";
import { eventMessage, type OutboxMessage, writeOutbox } from "../../platform/outbox.ts";
import { queueMails } from "../mail/mail-rows.ts";
import { insertEntries } from "./audit-rows.ts";
import type { Change } from "./change.ts";
import { eventOf } from "./event-body.ts";
import { writeFields } from "./field-rows.ts";
import { countStatus } from "./listed-requests.ts";
import { insertRequest, updateRequest } from "./request-rows.ts";
import { insertSigners, updateSigner } from "./signer-rows.ts";

type Around = { now: Date; trail: Trail };

/** Writes what was decided about a request whose lock the transaction holds; returns what to publish after its commit. */
export async function writeChange(
  trx: Transaction,
  change: Change,
  around: Around,
): Promise<OutboxMessage[]> {
  const { before, after } = change;
  if (before === after) return [];
  await updateRequest(trx, after);
  for (const signer of after.signers) {
    if (!before.signers.includes(signer)) await updateSigner(trx, signer);
  }
  const messages = await writeRecords(trx, change, around);
  await countStatus(trx, after.accountId, { from: before.status, to: after.status });
  return messages;
}

/** Writes a request that did not exist. */
export async function writeNew(trx: Transaction, change: Change, around: Around): Promise<OutboxMessage[]> {
  const { after } = change;
  await insertRequest(trx, after);
  await insertSigners(trx, after.id, after.signers);
  const messages = await writeRecords(trx, change, around);
  await countStatus(trx, after.accountId, { from: null, to: after.status });
  return messages;
}

async function writeRecords(
  trx: Transaction,
  { after, fields, entries, events, mails }: Change,
  { now, trail }: Around,
): Promise<OutboxMessage[]> {
  await writeFields(trx, after.id, fields);
  await insertEntries(trx, after.id, entries);
  await queueMails(
    trx,
    now,
    mails.map((mail) => ({ ...mail, requestId: after.id })),
  );
  const messages = events.map((event) => eventMessage(eventOf(after, event, newId("event")), trail));
  await writeOutbox(trx, now, messages);
  return messages;
}
