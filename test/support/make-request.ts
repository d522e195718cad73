import type { SignatureRequest, Signer } from "../../signing/requests/request.ts";
import { chainStart } from "../../signing/seal/audit-chain.ts";

export const someTime = new Date("2026-11-21T08:00:00.000Z");

/** So many hours after `someTime`. */
export function hours(count: number): Date {
  return new Date(someTime.getTime() + count * 3600_000);
}

export function makeSigner(of: Partial<Signer> = {}): Signer {
  return {
    id: `sgn_${String(of.position ?? 0).padStart(26, "0")}`,
    position: 0,
    name: "Ada Lovelace",
    email: "ada@example.com",
    order: (of.position ?? 0) + 1,
    invitedAt: null,
    remindedAt: null,
    openedAt: null,
    signedAt: null,
    signatureHash: null,
    ...of,
  };
}

/** A pending request made at `someTime`, in time for seven days. */
export function makeRequest(of: Partial<SignatureRequest> = {}): SignatureRequest {
  const id = "sr_01m7yxr10k58vjy0gv8x5nk4a0";
  return {
    id,
    accountId: "acc_01m7yxr10k58vjy0gv8x5nk4a0",
    status: "pending",
    title: "Lease",
    message: null,
    externalId: null,
    metadata: null,
    webhookTag: null,
    enforceOrder: false,
    sendEmails: true,
    appendAuditPage: false,
    document: { key: `requests/${id}/${"a".repeat(64)}`, size: 1000 },
    pages: [{ width: 600, height: 800 }],
    createdAt: someTime,
    expiresAt: hours(7 * 24),
    sealDueAt: null,
    sealAttempts: 0,
    lastSignedAt: null,
    completedAt: null,
    cancelledAt: null,
    sealed: null,
    padesLevel: null,
    trailEnd: { sequence: 0, hash: chainStart },
    eventCount: 0,
    signers: [makeSigner()],
    ...of,
  };
}
