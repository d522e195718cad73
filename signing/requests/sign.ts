import { sha256Of } from "../../platform/contracts/blob.ts";
import type { PlacedValue } from "../seal/placed-value.ts";
import { type SignatureFacts, signedDetails } from "../seal/signature-hash.ts";
import {
  type Change,
  startChange,
  type Witness,
  withEntry,
  withEvent,
  withRequest,
  withSigner,
} from "./change.ts";
import { inviteInTurn } from "./invite.ts";
import { type Field, hasSigned, type SignatureRequest, type Signer } from "./request.ts";

/** What the signer agrees to on the page; the wording is a version of the page, its tongue the signer's. */
const consent = { text: "The signer agreed to sign this document electronically." };

/**
 * The document was opened on the signing page: the first signer who does it sets the request in progress.
 * Once a signer; again changes nothing.
 */
export function openDocument(change: Change, signer: Signer, witness: Witness, now: Date): Change {
  if (signer.openedAt !== null) return change;
  const opened = withEntry(withSigner(change, signer.id, { openedAt: now }), {
    kind: "opened",
    at: now,
    witness,
    documentSha256: sha256Of(change.after.document),
  });
  return withRequest(opened, { status: "in_progress" });
}

export type Signing = {
  signer: Signer;
  /** The signer's fields with their ink. */
  fields: readonly Field[];
  values: readonly PlacedValue[];
  witness: Witness;
  /** Until when the process that asks will seal, should this be the last signature. */
  sealBy: Date;
};

/** A signer signs. The last signature leaves nothing to wait for but the seal. */
export function sign(request: SignatureRequest, signing: Signing, now: Date): Change {
  const { signer, fields, values, witness, sealBy } = signing;
  const documentSha256 = sha256Of(request.document);
  const opened = openDocument(startChange(request), signer, witness, now);
  const consented = withEntry(opened, {
    kind: "consented",
    at: now,
    witness,
    documentSha256,
    details: consent,
  });
  const facts: SignatureFacts = {
    documentSha256,
    signer: { id: signer.id, name: signer.name, email: signer.email, order: signer.order },
    values,
    signedAt: now.toISOString(),
    previousHash: consented.after.trailEnd.hash,
  };
  const details = signedDetails(facts);
  const signed = withEntry(
    withSigner(consented, signer.id, { signedAt: now, signatureHash: details.signatureHash }),
    { kind: "signed", at: now, witness, documentSha256, details },
  );
  const announced = withEvent(signed, "signature_request.signed", now, {
    signer: {
      name: signer.name,
      email: signer.email,
      order: signer.order,
      signed_at: now.toISOString(),
      signature_hash: details.signatureHash,
    },
  });
  const all = announced.after.signers.every(hasSigned);
  const next = all
    ? withRequest(announced, { sealDueAt: sealBy, lastSignedAt: now })
    : inviteInTurn(announced, now);
  return { ...next, fields };
}
