import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import {
  cancelledRequest,
  createdRequest,
  createRequestBody,
  listRequestsQuery,
  remindedRequest,
  requestDetail,
  requestList,
  requestPath,
} from "../../platform/contracts/http-api/signature-requests.ts";
import * as ask from "../../platform/contracts/signature-request.ts";
import type { FetchFiles } from "../ingest/fetch-files.ts";
import { type Route, route } from "../route.ts";
import { keyHolder, requestId } from "./asking.ts";
import { createdExample, createExample, detailExample, requestExample } from "./request-example.ts";
import { storePdf } from "./store-pdf.ts";

export type RequestRouteDeps = { bus: Bus; blobs: BlobStore; fetchFiles: FetchFiles };

/** A PDF of 100 MB takes a while to be looked through. */
const createTimeoutMs = 90_000;

/** Making, finding, cancelling and reminding. */
export function requestRoutes(deps: RequestRouteDeps): Route[] {
  return [createRoute(deps), listRoute(deps), getRoute(deps), cancelRoute(deps), remindRoute(deps)];
}

function createRoute(deps: RequestRouteDeps): Route {
  return route({
    method: "post",
    path: "/api/v1/signature-requests",
    tag: "Signature requests",
    summary: "Ask for signatures",
    description:
      "Positions of fields are PDF points (1/72 inch) from the top left of the page as a reader shows it, y downward; pages count from 1. Signers without fields place their signature themselves. Each signer's `sign_url` is in this answer alone.",
    permission: "signature:create",
    makes: "signatureRequest",
    files: ["pdf_base64"],
    body: createRequestBody,
    bodyExample: createExample,
    answers: { 201: { schema: createdRequest, example: createdExample } },
    failures: [
      "file_too_large",
      "invalid_pdf",
      "encrypted_pdf",
      "signed_pdf",
      "unsupported_pdf",
      "too_complex",
      "url_not_allowed",
      "download_failed",
    ],
    async handle(call) {
      const { newId: id, body, trail, signal } = call;
      const { pdf_base64, pdf_url, ...fields } = body;
      const owner = { kind: "requests", id } as const;
      const document = await storePdf(deps.fetchFiles, { owner, body: { pdf_base64, pdf_url }, signal });
      const question = { id, document, body: fields, ...keyHolder(call) };
      const data = await deps.bus.ask(ask.createRequest, question, { trail, timeoutMs: createTimeoutMs });
      return { status: 201, data };
    },
  });
}

function listRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "get",
    path: "/api/v1/signature-requests",
    tag: "Signature requests",
    summary: "List signature requests, newest first",
    permission: "signature:read",
    query: listRequestsQuery,
    answers: {
      200: {
        schema: requestList,
        example: {
          signature_requests: [requestExample],
          pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
        },
      },
    },
    handle: async ({ caller, query, trail }) => ({
      data: await bus.ask(ask.listRequests, { accountId: caller.accountId, query }, { trail }),
    }),
  });
}

function getRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "get",
    path: "/api/v1/signature-requests/:id",
    tag: "Signature requests",
    summary: "Read a signature request",
    permission: "signature:read",
    params: requestPath,
    answers: { 200: { schema: requestDetail, example: detailExample } },
    handle: async ({ caller, params, trail }) => ({
      data: await bus.ask(ask.getRequest, { id: requestId(params), accountId: caller.accountId }, { trail }),
    }),
  });
}

function cancelRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "post",
    path: "/api/v1/signature-requests/:id/cancel",
    tag: "Signature requests",
    summary: "Cancel a signature request",
    description:
      "Possible until the last signature. Cancelling again answers as the first time and sends no second event.",
    permission: "signature:cancel",
    params: requestPath,
    answers: {
      200: {
        schema: cancelledRequest,
        example: { id: requestExample.id, status: "cancelled", cancelled_at: "2026-11-22T10:00:00.000Z" },
      },
    },
    failures: ["invalid_state"],
    handle: async (call) => ({
      data: await bus.ask(
        ask.cancelRequest,
        { id: requestId(call.params), ...keyHolder(call) },
        { trail: call.trail },
      ),
    }),
  });
}

function remindRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "post",
    path: "/api/v1/signature-requests/:id/remind",
    tag: "Signature requests",
    summary: "Remind those who have not signed",
    description:
      "Sends the same link again, at most once an hour to each signer; with `enforce_order` only to those whose turn it is.",
    permission: "signature:remind",
    params: requestPath,
    answers: {
      200: {
        schema: remindedRequest,
        example: { id: requestExample.id, reminders_sent: 1, reminded_emails: ["grace@example.com"] },
      },
    },
    failures: ["invalid_state", "rate_limited"],
    handle: async (call) => ({
      data: await bus.ask(
        ask.remindSigners,
        { id: requestId(call.params), ...keyHolder(call) },
        { trail: call.trail },
      ),
    }),
  });
}
