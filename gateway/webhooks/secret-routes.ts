import type { Bus } from "../../platform/bus.ts";
import { defaultSecret, rotatedSecret, webhookPath } from "../../platform/contracts/http-api/webhooks.ts";
import * as ask from "../../platform/contracts/webhook.ts";
import { type Route, route } from "../route.ts";
import { whose } from "./asking.ts";
import { secretExample, webhookExample } from "./examples.ts";

/** What deliveries are signed with. */
export function secretRoutes({ bus }: { bus: Bus }): Route[] {
  return [
    route({
      method: "get",
      path: "/api/v1/webhooks/default-secret",
      tag: "Webhooks",
      summary: "Read the account's default secret",
      description: "It signs events sent to the `webhook_url` of calls that bring no `webhook_secret`.",
      permission: "webhook:manage",
      answers: { 200: { schema: defaultSecret, example: { webhook_secret: secretExample } } },
      handle: async ({ caller: { accountId }, trail }) => ({
        data: await bus.ask(ask.getDefaultSecret, { accountId }, { trail }),
      }),
    }),
    route({
      method: "post",
      path: "/api/v1/webhooks/:webhook_id/rotate-secret",
      tag: "Webhooks",
      summary: "Give a webhook a new secret",
      description:
        "For 24 hours the old secret signs too: in `X-Service-Signature-Previous`, and as a second entry of `webhook-signature`.",
      permission: "webhook:manage",
      params: webhookPath,
      answers: {
        200: {
          schema: rotatedSecret,
          example: {
            id: webhookExample.id,
            webhook_secret: secretExample,
            previous_secret_expires_at: "2026-11-22T02:19:00.123Z",
          },
        },
      },
      handle: async (call) => ({ data: await bus.ask(ask.rotateSecret, whose(call), { trail: call.trail }) }),
    }),
  ];
}
