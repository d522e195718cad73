import { sha256Of } from "../../platform/contracts/blob.ts";
import type {
  CreatedRequest,
  RequestDetail,
  RequestList,
} from "../../platform/contracts/http-api/signature-requests.ts";
import { hasSigned, type SignatureRequest, type Signer, statusAt } from "./request.ts";

/** A request as lists show it: without message and metadata. */
export function listedView(request: SignatureRequest, now: Date): RequestList["signature_requests"][number] {
  return {
    id: request.id,
    status: statusAt(request, now),
    title: request.title,
    signers: request.signers.map(signerView),
    external_id: request.externalId,
    webhook_tag: request.webhookTag,
    enforce_order: request.enforceOrder,
    created_at: request.createdAt.toISOString(),
    expires_at: request.expiresAt.toISOString(),
    completed_at: isoOrNull(request.completedAt),
    cancelled_at: isoOrNull(request.cancelledAt),
  };
}

export function detailView(request: SignatureRequest, now: Date): RequestDetail {
  const path = `/api/v1/signature-requests/${request.id}`;
  const completed = request.status === "completed";
  return {
    ...listedView(request, now),
    message: request.message,
    metadata: request.metadata,
    download_url: completed ? `${path}/download` : null,
    certificate_url: completed ? `${path}/certificate` : null,
    document_sha256: request.sealed === null ? null : sha256Of(request.sealed),
    pades_level: request.padesLevel,
  };
}

/** The answer to creation, the one place that shows each signer's link. */
export function createdView(
  request: SignatureRequest,
  now: Date,
  signUrlOf: (signerId: string) => string,
): CreatedRequest {
  return {
    ...detailView(request, now),
    signers: request.signers.map((signer) => ({ ...signerView(signer), sign_url: signUrlOf(signer.id) })),
  };
}

export function signerView(signer: Signer) {
  return {
    name: signer.name,
    email: signer.email,
    order: signer.order,
    status: hasSigned(signer) ? ("signed" as const) : ("pending" as const),
    signed_at: isoOrNull(signer.signedAt),
    signature_hash: signer.signatureHash,
  };
}

export function isoOrNull(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
