import type { z } from "zod";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import { byKey } from "./actor.ts";
import { type ChangeDeps, changeRequest, requireOwn } from "./change-request.ts";
import { type HandedOut, recordDownload, sealedFile } from "./hand-out.ts";
import { requireCompleted } from "./rules.ts";

type Question = z.output<typeof asked.downloadSealed.question>;

/** The sealed PDF for its account. */
export function createDownloadSealed(deps: ChangeDeps) {
  return async function downloadSealed(question: Question, trail: Trail): Promise<HandedOut> {
    const { id, accountId } = question;
    const request = await changeRequest(deps, { id, trail }, (found, now, trx) => {
      const own = requireOwn(found, accountId);
      requireCompleted(own, now, "The signed PDF");
      return recordDownload(trx, own, byKey(question), now);
    });
    return sealedFile(request);
  };
}
