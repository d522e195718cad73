import type { Bus } from "../../platform/bus.ts";
import { pageQuery } from "../../platform/contracts/http-api/envelope.ts";
import {
  changeWebhookBody,
  createdWebhook,
  createWebhookBody,
  deletedWebhook,
  webhook,
  webhookList,
  webhookPath,
} from "../../platform/contracts/http-api/webhooks.ts";
import * as ask from "../../platform/contracts/webhook.ts";
import { type Route, route } from "../route.ts";
import { whose } from "./asking.ts";
import { createExample, secretExample, webhookExample } from "./examples.ts";

type Deps = { bus: Bus };

/** Registering, finding, changing and deleting. */
export function registrationRoutes(deps: Deps): Route[] {
  return [createRoute(deps), listRoute(deps), getRoute(deps), changeRoute(deps), deleteRoute(deps)];
}

function createRoute({ bus }: Deps): Route {
  return route({
    method: "post",
    path: "/api/v1/webhooks",
    tag: "Webhooks",
    summary: "Register a webhook",
    description:
      "The answer holds `webhook_secret`, this one time. Without a tag the webhook gets every event that it names; with one, only events of signature requests whose `webhook_tag` is equal. An account has at most 100 webhooks (`invalid_state`).",
    permission: "webhook:manage",
    makes: "webhook",
    body: createWebhookBody,
    bodyExample: createExample,
    answers: {
      201: { schema: createdWebhook, example: { ...webhookExample, webhook_secret: secretExample } },
    },
    failures: ["url_not_allowed", "invalid_state"],
    handle: async ({ caller, newId, body, trail }) => ({
      status: 201,
      data: await bus.ask(
        ask.createWebhook,
        { accountId: caller.accountId, webhookId: newId, body },
        { trail },
      ),
    }),
  });
}

function listRoute({ bus }: Deps): Route {
  return route({
    method: "get",
    path: "/api/v1/webhooks",
    tag: "Webhooks",
    summary: "List webhooks, newest first",
    permission: "webhook:manage",
    query: pageQuery,
    answers: {
      200: {
        schema: webhookList,
        example: {
          webhooks: [webhookExample],
          pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
        },
      },
    },
    handle: async ({ caller, query, trail }) => ({
      data: await bus.ask(ask.listWebhooks, { accountId: caller.accountId, query }, { trail }),
    }),
  });
}

function getRoute({ bus }: Deps): Route {
  return route({
    method: "get",
    path: "/api/v1/webhooks/:webhook_id",
    tag: "Webhooks",
    summary: "Read a webhook",
    permission: "webhook:manage",
    params: webhookPath,
    answers: { 200: { schema: webhook, example: webhookExample } },
    handle: async (call) => ({ data: await bus.ask(ask.getWebhook, whose(call), { trail: call.trail }) }),
  });
}

function changeRoute({ bus }: Deps): Route {
  return route({
    method: "patch",
    path: "/api/v1/webhooks/:webhook_id",
    tag: "Webhooks",
    summary: "Change a webhook",
    description:
      "Changes what is named. Setting `status` to `enabled` delivers what was held back, oldest first; while a webhook is disabled by you or by a 410, new events are not kept for it.",
    permission: "webhook:manage",
    params: webhookPath,
    body: changeWebhookBody,
    bodyExample: { events: webhookExample.events, status: "enabled" },
    answers: { 200: { schema: webhook, example: webhookExample } },
    failures: ["url_not_allowed"],
    handle: async (call) => ({
      data: await bus.ask(ask.changeWebhook, { ...whose(call), body: call.body }, { trail: call.trail }),
    }),
  });
}

function deleteRoute({ bus }: Deps): Route {
  return route({
    method: "delete",
    path: "/api/v1/webhooks/:webhook_id",
    tag: "Webhooks",
    summary: "Delete a webhook",
    description: "Nothing more is sent to it, not even what was on its way.",
    permission: "webhook:manage",
    params: webhookPath,
    answers: { 200: { schema: deletedWebhook, example: { id: webhookExample.id, deleted: true } } },
    handle: async (call) => ({ data: await bus.ask(ask.deleteWebhook, whose(call), { trail: call.trail }) }),
  });
}
