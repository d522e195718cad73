import type { z } from "zod";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import { byKey } from "./actor.ts";
import { startChange } from "./change.ts";
import { type ChangeDeps, changeRequest, requireOwn } from "./change-request.ts";
import { cancel } from "./endings.ts";
import { mayCancel } from "./rules.ts";

type Question = z.output<typeof asked.cancelRequest.question>;

/** Cancels; a second time answers as the first, without a second event. */
export function createCancelRequest(deps: ChangeDeps) {
  return async function cancelRequest(question: Question, trail: Trail) {
    const { id, accountId } = question;
    const after = await changeRequest(deps, { id, trail }, (found, now) => {
      const request = requireOwn(found, accountId);
      return mayCancel(request, now) ? cancel(request, byKey(question), now) : startChange(request);
    });
    const cancelledAt = (after.cancelledAt ?? deps.now()).toISOString();
    return { id, status: "cancelled" as const, cancelled_at: cancelledAt };
  };
}
