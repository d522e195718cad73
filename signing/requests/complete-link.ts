import type { z } from "zod";
import { Failure } from "../../platform/contracts/failures.ts";
import type { CompletedData } from "../../platform/contracts/http-api/sign.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { SealPool } from "../seal/seal-pool.ts";
import type { SignLink } from "../sign-link.ts";
import { byLink } from "./actor.ts";
import { type ChangeDeps, changeRequest } from "./change-request.ts";
import { nextFieldNumber, readFields } from "./field-rows.ts";
import { fillFields, placedValues } from "./fill-fields.ts";
import { isSealing, type SignatureRequest, statusAt } from "./request.ts";
import { readRequest } from "./request-rows.ts";
import { requireMaySign } from "./rules.ts";
import { type SealRequest, sealLeaseMs } from "./seal-request.ts";
import { sign } from "./sign.ts";
import { bearerOf, signerIn } from "./signing-link.ts";

type Deps = ChangeDeps & { link: SignLink; pool: SealPool; sealRequest: SealRequest };
type Question = z.output<typeof asked.completeLink.question>;

/** How long the last signer's answer waits for the seal; it is made all the same when this runs out. */
const sealWaitMs = 4000;

/**
 * A signer signs.
 * @throws Failure `invalid_state` when it is too late, too early or done already; `validation_failed` for the values
 */
export function createCompleteLink(deps: Deps) {
  return async function completeLink(question: Question, trail: Trail): Promise<CompletedData> {
    const { requestId, signerId } = await bearerOf(deps, question.token);
    await checkBefore(deps, requestId, signerId, question);
    const after = await changeRequest(deps, { id: requestId, trail }, async (request, now, trx) => {
      const signer = signerIn(request, signerId);
      requireMaySign(request, signer, now);
      const filled = fillFields({
        signer,
        fields: await readFields(trx, request.id, signerId),
        pages: request.pages,
        body: question.body,
        at: now,
        nextNumber: await nextFieldNumber(trx, request.id),
      });
      return sign(
        request,
        {
          signer,
          fields: filled.map(({ field }) => field),
          values: placedValues(filled),
          witness: byLink(signer, question),
          sealBy: new Date(now.getTime() + sealLeaseMs),
        },
        now,
      );
    });
    const { signedAt, signatureHash } = signerIn(after, signerId);
    if (signedAt === null || signatureHash === null) throw new Error(`${signerId} signed without a trace`);
    return {
      status: "signed",
      signed_at: signedAt.toISOString(),
      signature_hash: signatureHash,
      request_status: statusAt(await sealedIfLast(deps, after, trail), deps.now()),
    };
  };
}

/** Drawing is tried before the lock is taken: it takes a while, and others may be signing. */
async function checkBefore({ db, pool, now }: Deps, requestId: string, signerId: string, { body }: Question) {
  const [request, fields] = await Promise.all([
    readRequest(db, requestId),
    readFields(db, requestId, signerId),
  ]);
  if (request === null) throw new Failure("not_found", "There is no such signature request.");
  const signer = signerIn(request, signerId);
  const at = now();
  requireMaySign(request, signer, at);
  const filled = fillFields({ signer, fields, pages: request.pages, body, at, nextNumber: 1 });
  await pool.checkValues(placedValues(filled));
}

async function sealedIfLast(deps: Deps, request: SignatureRequest, trail: Trail): Promise<SignatureRequest> {
  if (!isSealing(request)) return request;
  const sealing = deps.sealRequest(request.id, trail).then(() => readRequest(deps.db, request.id));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, sealWaitMs, null);
  });
  const sealed = await Promise.race([sealing.catch(() => null), late]).finally(() => clearTimeout(timer));
  return sealed ?? request;
}
