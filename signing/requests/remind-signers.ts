import type { z } from "zod";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import { byKey } from "./actor.ts";
import { type Change, startChange, withEntry, withMail, withSigner } from "./change.ts";
import { type ChangeDeps, changeRequest, requireOwn } from "./change-request.ts";
import { signersToRemind } from "./rules.ts";

type Question = z.output<typeof asked.remindSigners.question>;

/** Queues a reminder to everyone who is to sign now; an explicit wish, so also where `send_emails` is false. */
export function createRemindSigners(deps: ChangeDeps) {
  return async function remindSigners(question: Question, trail: Trail) {
    const { id, accountId } = question;
    const reminded: string[] = [];
    await changeRequest(deps, { id, trail }, (found, now) => {
      const request = requireOwn(found, accountId);
      const due = signersToRemind(request, now);
      reminded.splice(0, reminded.length, ...due.map(({ email }) => email));
      return due.reduce<Change>((change, { id: signerId, name, email }) => {
        const mailed = withSigner(withMail(change, "reminder", signerId), signerId, { remindedAt: now });
        const step = {
          kind: "reminded",
          at: now,
          witness: byKey(question),
          details: { name, email },
        } as const;
        return withEntry(mailed, step);
      }, startChange(request));
    });
    return { id, reminders_sent: reminded.length, reminded_emails: reminded };
  };
}
