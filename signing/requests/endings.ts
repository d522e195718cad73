/** The three ways in which a request ends. */
import { type BlobRef, sha256Of } from "../../platform/contracts/blob.ts";
import type { PadesLevel } from "../seal/seal-order.ts";
import {
  type Change,
  startChange,
  theService,
  type Witness,
  withEntry,
  withEvent,
  withMail,
  withRequest,
} from "./change.ts";
import type { SignatureRequest } from "./request.ts";

export function cancel(request: SignatureRequest, witness: Witness, now: Date): Change {
  const cancelled = withRequest(startChange(request), { status: "cancelled", cancelledAt: now });
  const recorded = withEntry(cancelled, { kind: "cancelled", at: now, witness });
  return withEvent(recorded, "signature_request.cancelled", now, { cancelled_at: now.toISOString() });
}

export function expire(request: SignatureRequest, now: Date): Change {
  const expired = withRequest(startChange(request), { status: "expired" });
  const expiresAt = request.expiresAt.toISOString();
  const recorded = withEntry(expired, {
    kind: "expired",
    at: now,
    witness: theService,
    details: { expiresAt },
  });
  return withEvent(recorded, "signature_request.expired", now, { expires_at: expiresAt });
}

export type Sealed = { blob: BlobRef; padesLevel: PadesLevel; timestampFault: string | null };

/** The sealed PDF exists: only now is the request completed, and everyone told. */
export function complete(request: SignatureRequest, sealed: Sealed, now: Date): Change {
  const documentSha256 = sha256Of(sealed.blob);
  const completed = withRequest(startChange(request), {
    status: "completed",
    completedAt: now,
    sealDueAt: null,
    sealed: sealed.blob,
    padesLevel: sealed.padesLevel,
  });
  const recorded = withEntry(completed, {
    kind: "sealed",
    at: now,
    witness: theService,
    documentSha256,
    details: { padesLevel: sealed.padesLevel, timestampFault: sealed.timestampFault },
  });
  const announced = withEvent(recorded, "signature_request.completed", now, {
    completed_at: now.toISOString(),
    document_sha256: documentSha256,
  });
  if (!request.sendEmails) return announced;
  return request.signers.reduce((change, { id }) => withMail(change, "completion", id), announced);
}
