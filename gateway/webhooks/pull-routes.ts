import { z } from "zod";
import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import type { EventBody } from "../../platform/contracts/event.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import {
  pullEventsQuery,
  pulledEvents,
  webhookEventPath,
  webhookPath,
} from "../../platform/contracts/http-api/webhooks.ts";
import * as ask from "../../platform/contracts/webhook.ts";
import { type Route, route } from "../route.ts";
import { whose } from "./asking.ts";
import { pulledExample } from "./examples.ts";

type Deps = { bus: Bus; blobs: BlobStore };

/** Signing a body of 100 MB takes a while. */
const signTimeoutMs = 30_000;

/** The same events by pull, for receivers that want to prove that they missed nothing. */
export function pullRoutes(deps: Deps): Route[] {
  return [pullRoute(deps), bodyRoute(deps)];
}

function pullRoute({ bus }: Deps): Route {
  return route({
    method: "get",
    path: "/api/v1/webhooks/:webhook_id/events",
    tag: "Webhooks",
    summary: "Pull a webhook's events by sequence",
    description:
      "Every event of a webhook has a number, `X-Service-Sequence`, without gaps. Compare yours with `last_sequence` and pull what is missing, with the same bodies and signatures as by push. Kept for 30 days.",
    permission: "webhook:manage",
    params: webhookPath,
    query: pullEventsQuery,
    answers: { 200: { schema: pulledEvents, example: pulledExample } },
    handle: async (call) => ({
      data: await bus.ask(ask.pullEvents, { ...whose(call), query: call.query }, { trail: call.trail }),
    }),
  });
}

function bodyRoute({ bus, blobs }: Deps): Route {
  return route({
    method: "get",
    path: "/api/v1/webhooks/:webhook_id/events/:sequence",
    tag: "Webhooks",
    summary: "Pull one event's body",
    description: "The body's own bytes, however large, with the headers of a delivery that sign them.",
    permission: "webhook:manage",
    params: webhookEventPath,
    answers: { 200: { schema: z.unknown(), contentType: "application/json" } },
    handle: async (call) => {
      const question = { ...whose(call), sequence: sequenceOf(call.params) };
      const options = { trail: call.trail, timeoutMs: signTimeoutMs };
      const { headers, body } = await bus.ask(ask.pullEventBody, question, options);
      return { headers, contentType: "application/json", ...bytesOf(blobs, body) };
    },
  });
}

function sequenceOf({ sequence }: { sequence: string }): number {
  if (/^[1-9]\d{0,14}$/.test(sequence)) return Number(sequence);
  throw new Failure("not_found", "There is no such event. Sequences count from 1.");
}

function bytesOf(blobs: BlobStore, body: EventBody) {
  if (body.in === "blob") return { bytes: blobs.read(body.blob), contentLength: body.blob.size };
  return { bytes: body.json };
}
