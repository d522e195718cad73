import type { z } from "zod";
import { sha256Of } from "../../platform/contracts/blob.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Database } from "../../platform/database.ts";
import type { AuditEntry } from "../seal/audit-chain.ts";
import { type CertifiedSigner, certificate } from "../seal/certificate.ts";
import type { SigningKey } from "../seal/signing-key.ts";
import { readTrail } from "./audit-rows.ts";
import { requireOwn } from "./change-request.ts";
import type { SignatureRequest, Signer } from "./request.ts";
import { readRequest } from "./request-rows.ts";
import { requireCompleted } from "./rules.ts";

type Deps = { db: Database; now: () => Date; key: SigningKey };
type Question = z.output<typeof asked.renderCertificate.question>;

/** @throws Failure `invalid_state` before completion */
export function createRenderCertificate({ db, now, key }: Deps) {
  return async function renderCertificate({ id, accountId }: Question): Promise<{ html: string }> {
    const request = requireOwn(await readRequest(db, id), accountId);
    requireCompleted(request, now(), "The certificate");
    return { html: certificate(factsOf(request, await readTrail(db, id), key)) };
  };
}

function factsOf(request: SignatureRequest, trail: readonly AuditEntry[], key: SigningKey) {
  const { sealed, completedAt, padesLevel, document } = request;
  const [signingCertificate] = key.certificates;
  if (sealed === null || completedAt === null || padesLevel === null || signingCertificate === undefined) {
    throw new Error(`${request.id} is completed and its seal is not whole`);
  }
  const fault = trail.find(({ kind }) => kind === "sealed")?.details.timestampFault;
  return {
    requestId: request.id,
    title: request.title,
    completedAt: completedAt.toISOString(),
    original: { sha256: sha256Of(document), size: document.size, pages: request.pages.length },
    sealed: { sha256: sha256Of(sealed), size: sealed.size },
    padesLevel,
    timestampFault: typeof fault === "string" ? fault : null,
    signers: request.signers.map(certified),
    trail,
    signingCertificate,
  };
}

function certified({ name, email, order, signedAt, signatureHash }: Signer): CertifiedSigner {
  if (signedAt === null || signatureHash === null) throw new Error(`${email} has not signed`);
  return { name, email, order, signedAt: signedAt.toISOString(), signatureHash };
}
