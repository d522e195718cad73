import { Failure } from "../../platform/contracts/failures.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import type { Outbox, OutboxMessage } from "../../platform/outbox.ts";
import { retryDeadlock } from "../retry-deadlock.ts";
import type { Change } from "./change.ts";
import type { SignatureRequest } from "./request.ts";
import { lockRequest } from "./request-rows.ts";
import { writeChange } from "./write-change.ts";

/** What every change of a request needs. */
export type ChangeDeps = {
  db: Database;
  outbox: Outbox;
  now: () => Date;
  /** Told after a commit that queued mails: they need not wait for the next round. */
  mailsQueued: () => void;
};

type Decide = (request: SignatureRequest, now: Date, trx: Transaction) => Change | Promise<Change>;

/**
 * The one way in which a request changes: under its lock it is read, decided upon and written, state, audit trail,
 * events and mails together. What the decision throws undoes everything.
 * @throws Failure `not_found`
 */
export async function changeRequest(
  { db, outbox, now, mailsQueued }: ChangeDeps,
  { id, trail }: { id: string; trail: Trail },
  decide: Decide,
): Promise<SignatureRequest> {
  const { change, messages } = await retryDeadlock(() =>
    db.transaction(async (trx) => {
      const request = await lockRequest(trx, id);
      if (request === null) throw notFound();
      // The time is read under the lock, so that the trail's times follow its order.
      const at = now();
      const decided = await decide(request, at, trx);
      return { change: decided, messages: await writeChange(trx, decided, { now: at, trail }) };
    }),
  );
  tell({ outbox, mailsQueued }, change, messages);
  return change.after;
}

/** After the commit: publishes and mails at once. Neither is waited for; the sweeps come after. */
export function tell(
  { outbox, mailsQueued }: Pick<ChangeDeps, "outbox" | "mailsQueued">,
  change: Change,
  messages: readonly OutboxMessage[],
): void {
  void outbox.publishNow(messages);
  if (change.mails.length > 0) mailsQueued();
}

export function notFound(): Failure {
  return new Failure("not_found", "There is no such signature request. Check its id.");
}

/** @throws Failure `not_found`, for another account's request as for none */
export function requireOwn(request: SignatureRequest | null, accountId: string): SignatureRequest {
  if (request === null || request.accountId !== accountId) throw notFound();
  return request;
}
