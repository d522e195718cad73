import { z } from "zod";
import { pageQuery } from "../../platform/contracts/http-api/envelope.ts";
import { auditEventList, requestPath } from "../../platform/contracts/http-api/signature-requests.ts";
import { sealReport, verifyBody } from "../../platform/contracts/http-api/verify.ts";
import * as ask from "../../platform/contracts/signature-request.ts";
import { type Route, route } from "../route.ts";
import { keyHolder, requestId } from "./asking.ts";
import { contentDisposition, pdfAnswer } from "./pdf-answer.ts";
import { auditExample, requestExample } from "./request-example.ts";
import type { RequestRouteDeps } from "./request-routes.ts";
import { storePdf } from "./store-pdf.ts";

/** Checking a PDF of 100 MB takes a while. */
const verifyTimeoutMs = 90_000;

/** What is left of a request when all have signed, and what proves it. */
export function documentRoutes(deps: RequestRouteDeps): Route[] {
  return [
    sealCertificateRoute(deps),
    verifyRoute(deps),
    downloadRoute(deps),
    certificateRoute(deps),
    eventsRoute(deps),
  ];
}

function downloadRoute({ bus, blobs }: RequestRouteDeps): Route {
  return route({
    method: "get",
    path: "/api/v1/signature-requests/:id/download",
    tag: "Signature requests",
    summary: "Download the signed PDF",
    permission: "signature:read",
    params: requestPath,
    answers: { 200: { schema: z.string(), contentType: "application/pdf" } },
    failures: ["invalid_state"],
    async handle(call) {
      const question = { id: requestId(call.params), ...keyHolder(call) };
      return pdfAnswer(
        blobs,
        await bus.ask(ask.downloadSealed, question, { trail: call.trail }),
        "attachment",
      );
    },
  });
}

function certificateRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "get",
    path: "/api/v1/signature-requests/:id/certificate",
    tag: "Signature requests",
    summary: "Read the signature certificate",
    description:
      "An HTML document with the audit trail and the signature hashes; it loads nothing from elsewhere.",
    permission: "signature:read",
    params: requestPath,
    answers: { 200: { schema: z.string(), contentType: "text/html" } },
    failures: ["invalid_state"],
    async handle({ caller, params, trail }) {
      const question = { id: requestId(params), accountId: caller.accountId };
      const { html } = await bus.ask(ask.renderCertificate, question, { trail });
      return {
        contentType: "text/html; charset=utf-8",
        bytes: html,
        // Names and titles are strangers' words: were one to slip through, nothing would run.
        headers: {
          "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
        },
      };
    },
  });
}

function eventsRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "get",
    path: "/api/v1/signature-requests/:id/events",
    tag: "Signature requests",
    summary: "Read the audit trail",
    description:
      "From the beginning. `hash` is the SHA-256 of the entry's other members as RFC 8785 writes them, `previous_hash` that of the entry before, so nothing can be changed unseen.",
    permission: "signature:read",
    params: requestPath,
    query: pageQuery,
    answers: { 200: { schema: auditEventList, example: auditExample } },
    handle: async ({ caller, params, query, trail }) => ({
      data: await bus.ask(
        ask.listAuditEvents,
        { id: requestId(params), accountId: caller.accountId, page: query.page, perPage: query.per_page },
        { trail },
      ),
    }),
  });
}

function verifyRoute(deps: RequestRouteDeps): Route {
  return route({
    method: "post",
    path: "/api/v1/signature-requests/verify",
    tag: "Signature requests",
    summary: "Check a sealed PDF",
    description:
      "Checks the seal, the hashes and the audit chain inside the file, and says whether this service sealed it. The file is not kept.",
    permission: "signature:read",
    files: ["pdf_base64"],
    body: verifyBody,
    bodyExample: { pdf_base64: "JVBERi0xLjcK…" },
    answers: {
      200: {
        schema: sealReport,
        example: {
          valid: true,
          checks: [{ name: "seal", passed: true, message: "The signature covers the document." }],
          sha256: "5f0c2d9c1a7b44e0b9d7a6f3c1e2d4b5a69788f0e1d2c3b4a5968778695a4b3c",
          signature_request_id: requestExample.id,
          title: requestExample.title,
          original_sha256: "0b3c5f0c2d9c1a7b44e0b9d7a6f3c1e2d4b5a69788f0e1d2c3b4a5968778695a",
          certificate: null,
          sealed_at: "2026-11-22T10:00:00.000Z",
          timestamped_by: null,
          changed_entry: null,
          sealed_here: true,
        },
      },
    },
    failures: ["file_too_large", "invalid_pdf", "url_not_allowed", "download_failed"],
    async handle({ body, requestId: id, trail, signal }) {
      const owner = { kind: "uploads", id } as const;
      const document = await storePdf(deps.fetchFiles, { owner, body, signal });
      return {
        data: await deps.bus.ask(ask.verifyDocument, { document }, { trail, timeoutMs: verifyTimeoutMs }),
      };
    },
  });
}

function sealCertificateRoute({ bus }: RequestRouteDeps): Route {
  return route({
    method: "get",
    path: "/api/v1/signature-requests/seal-certificate",
    tag: "Signature requests",
    summary: "Download the certificate of the seal",
    description:
      "The chain in PEM, this service's own certificate first: what a reader of sealed PDFs may trust.",
    permission: "signature:read",
    answers: { 200: { schema: z.string(), contentType: "application/x-pem-file" } },
    async handle({ trail }) {
      const { pem } = await bus.ask(ask.sealCertificate, {}, { trail });
      return {
        contentType: "application/x-pem-file",
        bytes: pem,
        headers: { "Content-Disposition": contentDisposition("attachment", "seal-certificate.pem") },
      };
    },
  });
}
