import { Failure } from "../../platform/contracts/failures.ts";
import { type CreateWebhookBody, maxWebhooksPerAccount } from "../../platform/contracts/http-api/webhooks.ts";
import type { Database } from "../../platform/database.ts";
import type { SafeFetch } from "../../platform/safe-fetch.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { type EndpointRow, ownWebhook, webhookData } from "./endpoint-rows.ts";
import { makeSecret } from "./make-secret.ts";
import { neverUsed } from "./never-used.ts";

type Deps = { db: Database; secretBox: SecretBox; checkUrl: SafeFetch["checkUrl"]; now: () => Date };

type Creation = { accountId: string; webhookId: string; body: CreateWebhookBody };

/** Registers a webhook. The only answer that holds its secret. */
export function createEndpoint({ db, secretBox, checkUrl, now }: Deps) {
  return async ({ accountId, webhookId, body }: Creation) => {
    checkUrl(body.url);
    const [counted] = await db("endpoints")
      .where({ account_id: accountId, kind: "registered" })
      .whereNot({ id: webhookId })
      .count({ n: "*" });
    if (Number(counted?.n) >= maxWebhooksPerAccount) {
      throw new Failure(
        "invalid_state",
        `An account has at most ${maxWebhooksPerAccount} webhooks. Delete one that is no longer used.`,
      );
    }
    const row: EndpointRow = {
      ...neverUsed,
      id: webhookId,
      account_id: accountId,
      kind: "registered",
      call_key: null,
      url: body.url,
      events: JSON.stringify(body.events),
      tag: body.tag ?? null,
      notify_email: body.notify_email ?? null,
      sealed_secret: secretBox.seal(body.webhook_secret ?? makeSecret()),
      created_at: now(),
    };
    await db("endpoints").insert(row).onConflict("id").ignore();
    // A call that was cut off and comes again finds what it made, and its secret.
    const made = await ownWebhook(db, { accountId, webhookId });
    return { ...webhookData(made), webhook_secret: secretBox.open(made.sealed_secret ?? "") };
  };
}
