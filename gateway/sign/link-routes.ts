import { z } from "zod";
import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import {
  completeBody,
  completedData,
  openedData,
  signingView,
} from "../../platform/contracts/http-api/sign.ts";
import * as ask from "../../platform/contracts/signature-request.ts";
import { type Call, type Route, route } from "../route.ts";
import { pdfAnswer } from "../signature-requests/pdf-answer.ts";
import { completeExample, viewExample } from "./link-examples.ts";
import { linkHeaders } from "./link-headers.ts";
import type { CountLinkCall } from "./link-limit.ts";

export type LinkRouteDeps = { bus: Bus; blobs: BlobStore; countLinkCall: CountLinkCall };

/** Drawing is tried and the last signature waits for the seal. */
const completeTimeoutMs = 15_000;

const tokenPath = z.object({ token: z.string() });

/** What the signing page asks. The link is the key; reading changes nothing, so a scanner of mails does no harm. */
export function linkRoutes(deps: LinkRouteDeps): Route[] {
  return [
    viewRoute(deps),
    fileRoute(deps, {
      path: "/sign/:token/document",
      summary: "The document as it was uploaded",
      asked: ask.linkDocument,
      disposition: "inline",
    }),
    fileRoute(deps, {
      path: "/sign/:token/download",
      summary: "The signed PDF, once everyone has signed",
      asked: ask.linkDownload,
      disposition: "attachment",
    }),
    openRoute(deps),
    completeRoute(deps),
  ];
}

function viewRoute({ bus, countLinkCall }: LinkRouteDeps): Route {
  return route({
    method: "get",
    path: "/sign/:token/request",
    tag: "Signing page",
    summary: "What is to be signed",
    permission: null,
    params: tokenPath,
    answers: { 200: { schema: signingView, example: viewExample } },
    handle: async (call) => ({
      data: await bus.ask(ask.viewLink, await linkHolder(call, countLinkCall), { trail: call.trail }),
      headers: linkHeaders,
    }),
  });
}

type FileOf = {
  path: string;
  summary: string;
  asked: typeof ask.linkDocument;
  disposition: "inline" | "attachment";
};

function fileRoute(
  { bus, blobs, countLinkCall }: LinkRouteDeps,
  { path, summary, asked, disposition }: FileOf,
): Route {
  return route({
    method: "get",
    path,
    tag: "Signing page",
    summary,
    permission: null,
    params: tokenPath,
    answers: { 200: { schema: z.string(), contentType: "application/pdf" } },
    failures: ["invalid_state"],
    async handle(call) {
      const file = await bus.ask(asked, await linkHolder(call, countLinkCall), { trail: call.trail });
      const answer = pdfAnswer(blobs, file, disposition);
      return { ...answer, headers: { ...answer.headers, ...linkHeaders } };
    },
  });
}

function openRoute({ bus, countLinkCall }: LinkRouteDeps): Route {
  return route({
    method: "post",
    path: "/sign/:token/open",
    tag: "Signing page",
    summary: "Tell that the document is being looked at",
    description: "The first signer who opens the document sets the request in progress.",
    permission: null,
    params: tokenPath,
    answers: { 200: { schema: openedData, example: { request_status: "in_progress" } } },
    failures: ["invalid_state"],
    handle: async (call) => ({
      data: await bus.ask(ask.openLink, await linkHolder(call, countLinkCall), { trail: call.trail }),
      headers: linkHeaders,
    }),
  });
}

function completeRoute({ bus, countLinkCall }: LinkRouteDeps): Route {
  return route({
    method: "post",
    path: "/sign/:token/complete",
    tag: "Signing page",
    summary: "Sign",
    permission: null,
    params: tokenPath,
    body: completeBody,
    bodyExample: completeExample,
    answers: {
      200: {
        schema: completedData,
        example: {
          status: "signed",
          signed_at: "2026-11-21T09:12:44.018Z",
          signature_hash: "5f0c2d9c1a7b44e0b9d7a6f3c1e2d4b5a69788f0e1d2c3b4a5968778695a4b3c",
          request_status: "in_progress",
        },
      },
    },
    failures: ["invalid_state"],
    async handle(call) {
      const question = { ...(await linkHolder(call, countLinkCall)), body: call.body };
      const data = await bus.ask(ask.completeLink, question, {
        trail: call.trail,
        timeoutMs: completeTimeoutMs,
      });
      return { data, headers: linkHeaders };
    },
  });
}

type LinkCall = Pick<Call<z.output<typeof tokenPath>, unknown, unknown>, "params" | "ip" | "userAgent">;

async function linkHolder({ params: { token }, ip, userAgent }: LinkCall, countLinkCall: CountLinkCall) {
  // No link is this long; the bus need not carry it.
  if (token.length > 100) throw new Failure("not_found", "This signing link is not known.");
  await countLinkCall({ token, ip });
  return { token, ip, userAgent };
}
