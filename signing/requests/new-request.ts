import type { z } from "zod";
import { type BlobRef, sha256Of } from "../../platform/contracts/blob.ts";
import type {
  CreateRequestFields,
  signerInput,
} from "../../platform/contracts/http-api/signature-requests.ts";
import { chainStart } from "../seal/audit-chain.ts";
import type { PageSize } from "../seal/place-field.ts";
import { type Change, startChange, type Witness, withEntry, withEvent } from "./change.ts";
import { inviteInTurn } from "./invite.ts";
import type { Field, SignatureRequest, Signer } from "./request.ts";

const dayMs = 24 * 3600 * 1000;

export type NewRequest = {
  id: string;
  accountId: string;
  document: BlobRef;
  pages: readonly PageSize[];
  body: CreateRequestFields;
  /** One for each signer of the body. */
  signerIds: readonly string[];
};

/** A request as it begins: pending, with its first audit entries, its event and the invitations. */
export function newRequest(made: NewRequest, witness: Witness, now: Date): Change {
  const request = requestOf(made, now);
  const created = withEntry(startChange(request), {
    kind: "created",
    at: now,
    witness,
    documentSha256: sha256Of(made.document),
    details: { title: request.title, expiresAt: request.expiresAt.toISOString() },
  });
  const announced = withEvent(created, "signature_request.created", now, {
    expires_at: request.expiresAt.toISOString(),
  });
  return { ...inviteInTurn(announced, now), fields: fieldsOf(made) };
}

function requestOf(
  { id, accountId, document, pages, body, signerIds }: NewRequest,
  now: Date,
): SignatureRequest {
  return {
    id,
    accountId,
    status: "pending",
    title: body.title,
    message: body.message || null,
    externalId: body.external_id ?? null,
    metadata: body.metadata ?? null,
    webhookTag: body.webhook_tag ?? null,
    enforceOrder: body.enforce_order ?? false,
    sendEmails: body.send_emails ?? true,
    appendAuditPage: body.append_audit_page ?? false,
    document,
    pages,
    createdAt: now,
    expiresAt: new Date(now.getTime() + (body.expires_in_days ?? 7) * dayMs),
    sealDueAt: null,
    sealAttempts: 0,
    lastSignedAt: null,
    completedAt: null,
    cancelledAt: null,
    sealed: null,
    padesLevel: null,
    trailEnd: { sequence: 0, hash: chainStart },
    eventCount: 0,
    signers: body.signers.map((signer, position) => signerOf(signer, position, signerIds[position] ?? "")),
  };
}

function signerOf(
  { name, email, order }: z.output<typeof signerInput>,
  position: number,
  id: string,
): Signer {
  return {
    id,
    position,
    name,
    email,
    order: order ?? position + 1,
    invitedAt: null,
    remindedAt: null,
    openedAt: null,
    signedAt: null,
    signatureHash: null,
  };
}

function fieldsOf({ body, signerIds }: NewRequest): Field[] {
  const fields = body.signers.flatMap((signer, position) =>
    (signer.fields ?? []).map((field) => ({
      signerId: signerIds[position] ?? "",
      type: field.type,
      box: { page: field.page, x: field.x, y: field.y, width: field.width, height: field.height },
      required: field.required ?? field.type !== "checkbox",
      label: field.label ?? null,
      ink: null,
    })),
  );
  return fields.map((field, index) => ({ number: index + 1, ...field }));
}
