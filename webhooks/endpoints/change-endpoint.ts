import type { ChangeWebhookBody } from "../../platform/contracts/http-api/webhooks.ts";
import type { Database } from "../../platform/database.ts";
import type { SafeFetch } from "../../platform/safe-fetch.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { enableEndpoint } from "./enable-endpoint.ts";
import { type EndpointRow, ownWebhook, webhookData } from "./endpoint-rows.ts";

type Deps = {
  db: Database;
  checkUrl: SafeFetch["checkUrl"];
  tellChanged: (endpointId: string) => void;
  now: () => Date;
};
type Change = { accountId: string; webhookId: string; body: ChangeWebhookBody };

/** Changes what is named and leaves the rest. Events already recorded go to the new URL. */
export function createChangeEndpoint({ db, checkUrl, tellChanged, now }: Deps) {
  return async function changeEndpoint({ accountId, webhookId, body }: Change) {
    const whose = { accountId, webhookId };
    await ownWebhook(db, whose);
    if (body.url !== undefined) checkUrl(body.url);
    const columns = columnsOf(body);
    if (Object.keys(columns).length > 0) {
      await db<EndpointRow>("endpoints").where({ id: webhookId }).update(columns);
    }
    if (body.status === "enabled") await enableEndpoint(db, webhookId);
    if (body.status === "disabled") await disableByOwner(webhookId);
    tellChanged(webhookId);
    return webhookData(await ownWebhook(db, whose));
  };

  async function disableByOwner(id: string): Promise<void> {
    if (await disableEndpoint(db, id, "user", now())) return;
    // Disabled already: from now on by the owner's word, so no probe enables it.
    await db<EndpointRow>("endpoints").where({ id }).update({ disabled_reason: "user", probe_at: null });
  }
}

function columnsOf(body: ChangeWebhookBody): Partial<EndpointRow> {
  return {
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(body.events === undefined ? {} : { events: JSON.stringify(body.events) }),
    ...(body.tag === undefined ? {} : { tag: body.tag }),
    ...(body.notify_email === undefined ? {} : { notify_email: body.notify_email }),
  };
}
