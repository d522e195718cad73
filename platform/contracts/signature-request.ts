import { z } from "zod";
import { blobRef } from "./blob.ts";
import { completeBody, completedData, openedData, signingView } from "./http-api/sign.ts";
import {
  auditEventList,
  cancelledRequest,
  createdRequest,
  createRequestFields,
  listRequestsQuery,
  remindedRequest,
  requestDetail,
  requestList,
} from "./http-api/signature-requests.ts";
import { sealReport } from "./http-api/verify.ts";
import { accountId, keyId, signatureRequestId } from "./ids.ts";
import { defineRequest } from "./request.ts";

/**
 * What the gateway asks of the signing service. Answers are the public `data`, so that nothing is said twice; an id
 * of another account is answered like one that does not exist.
 */

/** Whose connection it was, for the audit trail. */
const connection = { ip: z.string(), userAgent: z.string() };
const byKey = { accountId, keyId, ...connection };
const oneRequest = { id: signatureRequestId, ...byKey };

/** `id` is made before the PDF is stored, since it owns the blob. Asking twice makes one request. */
export const createRequest = defineRequest(
  "signature-requests-create",
  z.object({ ...oneRequest, document: blobRef, body: createRequestFields }),
  createdRequest,
);

export const listRequests = defineRequest(
  "signature-requests-list",
  z.object({ accountId, query: listRequestsQuery }),
  requestList,
);

export const getRequest = defineRequest(
  "signature-requests-get",
  z.object({ id: signatureRequestId, accountId }),
  requestDetail,
);

export const cancelRequest = defineRequest(
  "signature-requests-cancel",
  z.object(oneRequest),
  cancelledRequest,
);

export const remindSigners = defineRequest(
  "signature-requests-remind",
  z.object(oneRequest),
  remindedRequest,
);

/** A file to hand out: where it lies and what to call it. */
export const handedOut = z.object({ blob: blobRef, fileName: z.string() });

export const downloadSealed = defineRequest("signature-requests-download", z.object(oneRequest), handedOut);

export const listAuditEvents = defineRequest(
  "signature-requests-events",
  z.object({
    id: signatureRequestId,
    accountId,
    page: z.number().int().positive(),
    perPage: z.number().int().positive(),
  }),
  auditEventList,
);

/** The certificate of a completed request: a page of HTML that stands by itself. */
export const renderCertificate = defineRequest(
  "signature-requests-certificate",
  z.object({ id: signatureRequestId, accountId }),
  z.object({ html: z.string() }),
);

/** Checks a PDF that may have been sealed here, or elsewhere by the same software. */
export const verifyDocument = defineRequest(
  "signature-requests-verify",
  z.object({ document: blobRef }),
  sealReport,
);

/** The certificate chain of the seal in PEM, the service's own first. */
export const sealCertificate = defineRequest(
  "signature-requests-seal-certificate",
  z.object({}),
  z.object({ pem: z.string() }),
);

/** The link in a signer's mail: who holds it is that signer. */
const byLink = { token: z.string().max(200), ...connection };

export const viewLink = defineRequest("signing-link-view", z.object(byLink), signingView);
export const linkDocument = defineRequest("signing-link-document", z.object(byLink), handedOut);
export const linkDownload = defineRequest("signing-link-download", z.object(byLink), handedOut);
export const openLink = defineRequest("signing-link-open", z.object(byLink), openedData);
export const completeLink = defineRequest(
  "signing-link-complete",
  z.object({ ...byLink, body: completeBody }),
  completedData,
);
