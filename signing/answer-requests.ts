import type { BlobStore } from "../platform/blob-store.ts";
import type { Bus } from "../platform/bus.ts";
import * as asked from "../platform/contracts/signature-request.ts";
import { createCancelRequest } from "./requests/cancel-request.ts";
import type { ChangeDeps } from "./requests/change-request.ts";
import { createCompleteLink } from "./requests/complete-link.ts";
import { createCreateRequest } from "./requests/create-request.ts";
import { createDownloadSealed } from "./requests/download-sealed.ts";
import { createGetRequest } from "./requests/get-request.ts";
import { createListAuditEvents } from "./requests/list-audit-events.ts";
import { createListRequests } from "./requests/list-requests.ts";
import { createRemindSigners } from "./requests/remind-signers.ts";
import { createRenderCertificate } from "./requests/render-certificate.ts";
import type { SealRequest } from "./requests/seal-request.ts";
import {
  createLinkDocument,
  createLinkDownload,
  createOpenLink,
  createViewLink,
} from "./requests/signing-link.ts";
import { createVerifyDocument } from "./requests/verify-document.ts";
import type { SealPool } from "./seal/seal-pool.ts";
import { certificatePem, type SigningKey } from "./seal/signing-key.ts";
import type { SignLink } from "./sign-link.ts";
import type { WithLocalFile } from "./with-local-file.ts";

export type AnswerDeps = ChangeDeps & {
  bus: Bus;
  blobs: BlobStore;
  pool: SealPool;
  key: SigningKey;
  link: SignLink;
  withLocalFile: WithLocalFile;
  expireRequests: (accountId?: string) => Promise<number>;
  sealRequest: SealRequest;
};

/** Answers everything that platform/contracts/signature-request.ts lets others ask. */
export function answerRequests(deps: AnswerDeps): void {
  const { answer } = deps.bus;

  answer(asked.createRequest, createCreateRequest(deps));
  answer(asked.listRequests, createListRequests(deps));
  answer(asked.getRequest, createGetRequest(deps));
  answer(asked.cancelRequest, createCancelRequest(deps));
  answer(asked.remindSigners, createRemindSigners(deps));
  answer(asked.downloadSealed, createDownloadSealed(deps));
  answer(asked.listAuditEvents, createListAuditEvents(deps));
  answer(asked.renderCertificate, createRenderCertificate(deps));
  answer(asked.verifyDocument, createVerifyDocument(deps));
  answer(asked.sealCertificate, async () => ({ pem: certificatePem(deps.key) }));
  answer(asked.viewLink, createViewLink(deps));
  answer(asked.linkDocument, createLinkDocument(deps));
  answer(asked.linkDownload, createLinkDownload(deps));
  answer(asked.openLink, createOpenLink(deps));
  answer(asked.completeLink, createCompleteLink(deps));
}
