import type { BlobRef } from "../../platform/contracts/blob.ts";
import type { RequestStatus } from "../../platform/contracts/http-api/signature-requests.ts";
import type { FieldBox, PageSize } from "../seal/place-field.ts";
import type { FieldType, Ink } from "../seal/placed-value.ts";
import type { PadesLevel } from "../seal/seal-order.ts";

export type Signer = {
  id: string;
  /** Place in the caller's list, from 0. */
  position: number;
  name: string;
  email: string;
  order: number;
  invitedAt: Date | null;
  remindedAt: Date | null;
  openedAt: Date | null;
  signedAt: Date | null;
  signatureHash: string | null;
};

export type Field = {
  /** From 1 within the request. */
  number: number;
  signerId: string;
  type: FieldType;
  box: FieldBox;
  required: boolean;
  label: string | null;
  /** Null until its signer has signed, and after that when it was left empty. */
  ink: Ink | null;
};

/** The last entry of a request's audit trail, to which the next is chained. */
export type TrailEnd = { sequence: number; hash: string };

/**
 * A signature request as its rows say. It moves pending → in_progress → (sealing) → completed, or from either of the
 * first two to cancelled or expired. Sealing is told to nobody: to callers such a request is still in progress.
 */
export type SignatureRequest = {
  id: string;
  accountId: string;
  status: RequestStatus;
  title: string;
  message: string | null;
  externalId: string | null;
  metadata: Record<string, unknown> | null;
  webhookTag: string | null;
  enforceOrder: boolean;
  sendEmails: boolean;
  appendAuditPage: boolean;
  document: BlobRef;
  pages: readonly PageSize[];
  createdAt: Date;
  expiresAt: Date;
  /** When a process may try to seal; set from the last signature until the seal. */
  sealDueAt: Date | null;
  sealAttempts: number;
  lastSignedAt: Date | null;
  completedAt: Date | null;
  cancelledAt: Date | null;
  sealed: BlobRef | null;
  padesLevel: PadesLevel | null;
  trailEnd: TrailEnd;
  eventCount: number;
  signers: readonly Signer[];
};

/** The status at an instant: a request past its time is expired, whether or not the sweep has come by. */
export function statusAt(request: SignatureRequest, now: Date): RequestStatus {
  return isLive(request, now) || isFinished(request) || isSealing(request) ? request.status : "expired";
}

function isFinished({ status }: SignatureRequest): boolean {
  return status !== "pending" && status !== "in_progress";
}

/** All have signed and the seal is being made: nothing can stop it any more. */
export function isSealing(request: SignatureRequest): boolean {
  return !isFinished(request) && request.signers.every(hasSigned);
}

/** Still waiting for signatures, and in time. */
export function isLive(request: SignatureRequest, now: Date): boolean {
  return !isFinished(request) && !isSealing(request) && now < request.expiresAt;
}

export function hasSigned(signer: Signer): boolean {
  return signer.signedAt !== null;
}

/** Is it this signer's turn? Always, unless the request holds its signers to their order. */
export function isTurnOf(request: SignatureRequest, signer: Signer): boolean {
  return !request.enforceOrder || signer.order === lowestUnsignedOrder(request.signers);
}

/** Those who have not signed and whose turn it is. */
export function signersInTurn(request: SignatureRequest): Signer[] {
  return request.signers.filter((signer) => !hasSigned(signer) && isTurnOf(request, signer));
}

function lowestUnsignedOrder(signers: readonly Signer[]): number {
  return Math.min(...signers.filter((signer) => !hasSigned(signer)).map(({ order }) => order));
}
