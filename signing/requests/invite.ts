import { type Change, theService, withEntry, withMail, withSigner } from "./change.ts";
import { signersInTurn } from "./request.ts";

/** Invites those whose turn it is and who have not been invited, if the request sends e-mails at all. */
export function inviteInTurn(change: Change, now: Date): Change {
  if (!change.after.sendEmails) return change;
  return signersInTurn(change.after)
    .filter(({ invitedAt }) => invitedAt === null)
    .reduce((so, { id, name, email }) => {
      const invited = withSigner(withMail(so, "invitation", id), id, { invitedAt: now });
      return withEntry(invited, { kind: "invited", at: now, witness: theService, details: { name, email } });
    }, change);
}
