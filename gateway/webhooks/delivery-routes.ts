import type { Bus } from "../../platform/bus.ts";
import {
  delivery,
  deliveryList,
  deliveryPath,
  listDeliveriesQuery,
  retriedDeliveries,
  retryFailedBody,
  webhookPath,
} from "../../platform/contracts/http-api/webhooks.ts";
import * as ask from "../../platform/contracts/webhook.ts";
import { type Route, route } from "../route.ts";
import { whichDelivery, whose } from "./asking.ts";
import { deliveryExample, webhookExample } from "./examples.ts";

type Deps = { bus: Bus };

/** What was sent, what came of it, and sending it again. */
export function deliveryRoutes(deps: Deps): Route[] {
  return [retryRoute(deps), listRoute(deps), retryFailedRoute(deps), testRoute(deps)];
}

function retryRoute({ bus }: Deps): Route {
  return route({
    method: "post",
    path: "/api/v1/webhooks/deliveries/:delivery_id/retry",
    tag: "Webhooks",
    summary: "Send a delivery again",
    description:
      "At once, whatever became of it, with the same event id and bytes and a whole schedule of tries.",
    permission: "webhook:manage",
    params: deliveryPath,
    answers: {
      200: { schema: delivery, example: { ...deliveryExample, status: "pending", delivered_at: null } },
    },
    failures: ["invalid_state"],
    handle: async (call) => ({
      data: await bus.ask(ask.retryDelivery, whichDelivery(call), { trail: call.trail }),
    }),
  });
}

function listRoute({ bus }: Deps): Route {
  return route({
    method: "get",
    path: "/api/v1/webhooks/:webhook_id/deliveries",
    tag: "Webhooks",
    summary: "List a webhook's deliveries with every attempt, newest first",
    description: "Kept for 30 days.",
    permission: "webhook:manage",
    params: webhookPath,
    query: listDeliveriesQuery,
    answers: {
      200: {
        schema: deliveryList,
        example: {
          deliveries: [deliveryExample],
          pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
        },
      },
    },
    handle: async (call) => ({
      data: await bus.ask(ask.listDeliveries, { ...whose(call), query: call.query }, { trail: call.trail }),
    }),
  });
}

function retryFailedRoute({ bus }: Deps): Route {
  return route({
    method: "post",
    path: "/api/v1/webhooks/:webhook_id/retry-failed",
    tag: "Webhooks",
    summary: "Send all failed deliveries since a time again",
    description:
      "Those with status `failed`: their tries have ended. What is `pending` is on its way already.",
    permission: "webhook:manage",
    params: webhookPath,
    body: retryFailedBody,
    bodyExample: { since: "2026-11-20T00:00:00Z" },
    answers: { 200: { schema: retriedDeliveries, example: { id: webhookExample.id, retried: 12 } } },
    failures: ["invalid_state"],
    handle: async (call) => ({
      data: await bus.ask(ask.retryFailed, { ...whose(call), body: call.body }, { trail: call.trail }),
    }),
  });
}

function testRoute({ bus }: Deps): Route {
  return route({
    method: "post",
    path: "/api/v1/webhooks/:webhook_id/test",
    tag: "Webhooks",
    summary: "Send a test event",
    description:
      "Sends one `webhook.test` event, also to a disabled webhook, and answers with the one attempt that was made.",
    permission: "webhook:manage",
    params: webhookPath,
    answers: {
      200: {
        schema: delivery,
        example: {
          ...deliveryExample,
          event: "webhook.test",
          attempts: [{ ...deliveryExample.attempts[1], number: 1 }],
        },
      },
    },
    handle: async (call) => ({
      data: await bus.ask(ask.testWebhook, whose(call), {
        trail: call.trail,
        timeoutMs: ask.testTakesAtMostMs,
      }),
    }),
  });
}
