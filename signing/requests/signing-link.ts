/** What the holder of a signer's link may ask for and do. */
import type { z } from "zod";
import { Failure } from "../../platform/contracts/failures.ts";
import type { SigningView } from "../../platform/contracts/http-api/sign.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Database } from "../../platform/database.ts";
import type { SignLink } from "../sign-link.ts";
import { byLink } from "./actor.ts";
import { startChange } from "./change.ts";
import { type ChangeDeps, changeRequest } from "./change-request.ts";
import { readFields } from "./field-rows.ts";
import { fieldId } from "./fill-fields.ts";
import { type HandedOut, originalFile, recordDownload, sealedFile } from "./hand-out.ts";
import type { SignatureRequest, Signer } from "./request.ts";
import { statusAt } from "./request.ts";
import { readRequest } from "./request-rows.ts";
import { signerView } from "./request-view.ts";
import { requireCompleted, requireMayRead, requireMaySign, whyNotSign } from "./rules.ts";
import { openDocument } from "./sign.ts";
import { requestOfSigner } from "./signer-rows.ts";

type ByLink = z.output<typeof asked.viewLink.question>;
type ReadDeps = { db: Database; link: SignLink; now: () => Date };
type Deps = ChangeDeps & ReadDeps;

/** Whose link it is. @throws Failure `not_found` for any other text, without a hint at what is wrong with it */
export async function bearerOf(
  { db, link }: ReadDeps,
  token: string,
): Promise<{ requestId: string; signerId: string }> {
  const signerId = link.signerOf(token);
  const requestId = signerId === null ? null : await requestOfSigner(db, signerId);
  if (signerId === null || requestId === null) {
    throw new Failure("not_found", "This signing link is not known. Open the link of the e-mail again.");
  }
  return { requestId, signerId };
}

export function signerIn(request: SignatureRequest, signerId: string): Signer {
  const signer = request.signers.find(({ id }) => id === signerId);
  if (signer === undefined) throw new Error(`${signerId} is no signer of ${request.id}`);
  return signer;
}

async function bearer(deps: ReadDeps, token: string): Promise<{ request: SignatureRequest; signer: Signer }> {
  const { requestId, signerId } = await bearerOf(deps, token);
  const request = await readRequest(deps.db, requestId);
  if (request === null) throw new Error(`${requestId} is gone and its signers are not`);
  return { request, signer: signerIn(request, signerId) };
}

/** What the page shows. Changes nothing: a scanner of mails may fetch it as often as it likes. */
export function createViewLink(deps: ReadDeps) {
  return async function viewLink({ token }: ByLink): Promise<SigningView> {
    const { request, signer } = await bearer(deps, token);
    const now = deps.now();
    const why = whyNotSign(request, signer, now);
    const fields = why === null ? await readFields(deps.db, request.id, signer.id) : [];
    const pages = why === null || why === "signed" ? request.pages : [];
    const { signature_hash, ...shown } = signerView(signer);
    return {
      title: request.title,
      message: request.message,
      status: statusAt(request, now),
      expires_at: request.expiresAt.toISOString(),
      signer: shown,
      can_sign: why === null,
      pages: pages.map(({ width, height }, index) => ({ page: index + 1, width, height })),
      fields: fields.map((field) => ({
        id: fieldId(field),
        type: field.type,
        label: field.label,
        required: field.required,
        ...field.box,
      })),
    };
  };
}

/** The document as it was uploaded, which is what is signed. */
export function createLinkDocument(deps: ReadDeps) {
  return async function linkDocument({ token }: ByLink): Promise<HandedOut> {
    const { request, signer } = await bearer(deps, token);
    requireMayRead(request, signer, deps.now());
    return originalFile(request);
  };
}

/** The sealed PDF, for each of its signers. */
export function createLinkDownload(deps: Deps) {
  return async function linkDownload(question: ByLink, trail: Trail): Promise<HandedOut> {
    const { requestId, signerId } = await bearerOf(deps, question.token);
    const request = await changeRequest(deps, { id: requestId, trail }, (found, now, trx) => {
      requireCompleted(found, now, "The signed PDF");
      return recordDownload(trx, found, byLink(signerIn(found, signerId), question), now);
    });
    return sealedFile(request);
  };
}

/** The page says that it shows the document. Saying so again, or after signing, changes nothing. */
export function createOpenLink(deps: Deps) {
  return async function openLink(question: ByLink, trail: Trail) {
    const { requestId, signerId } = await bearerOf(deps, question.token);
    const after = await changeRequest(deps, { id: requestId, trail }, (request, now) => {
      const signer = signerIn(request, signerId);
      requireMaySign(request, signer, now);
      return openDocument(startChange(request), signer, byLink(signer, question), now);
    });
    return { request_status: statusAt(after, deps.now()) };
  };
}
