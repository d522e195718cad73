import type { EventType } from "../../platform/contracts/event.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import type { WebhookData } from "../../platform/contracts/http-api/webhooks.ts";
import type { Database, Transaction } from "../../platform/database.ts";

export type EndpointRow = {
  id: string;
  account_id: string;
  kind: "registered" | "call";
  call_key: string | null;
  url: string;
  events: string;
  tag: string | null;
  status: "enabled" | "disabled";
  disabled_reason: "user" | "gone" | "failures" | null;
  notify_email: string | null;
  /** Null for a `call`: each delivery has its own, or the account's default signs. */
  sealed_secret: string | null;
  sealed_previous_secret: string | null;
  previous_secret_until: Date | null;
  last_sequence: number;
  failing_since: Date | null;
  /** When an endpoint that failures disabled is tried next. */
  probe_at: Date | null;
  notice_due_at: Date | null;
  created_at: Date;
};

type Whose = { accountId: string; webhookId: string };

/** The registered webhook of this account, locked when `lock` says so. @throws Failure not_found */
export async function ownWebhook(
  db: Database | Transaction,
  { accountId, webhookId }: Whose,
  lock: "lock" | "read" = "read",
): Promise<EndpointRow> {
  const query = db<EndpointRow>("endpoints")
    .where({ id: webhookId, account_id: accountId, kind: "registered" })
    .first();
  const row = await (lock === "lock" ? query.forUpdate() : query);
  if (row === undefined) throw new Failure("not_found", `There is no webhook ${webhookId}.`);
  return row;
}

export function eventsOf(row: Pick<EndpointRow, "events">): EventType[] {
  return JSON.parse(row.events) as EventType[];
}

/** As the API shows it: never with a secret. */
export function webhookData(row: EndpointRow): WebhookData {
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    tag: row.tag,
    status: row.status,
    disabled_reason: row.disabled_reason,
    notify_email: row.notify_email,
    last_sequence: row.last_sequence,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_expires_at: row.previous_secret_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
