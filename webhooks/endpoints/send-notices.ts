import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import type { MailTransport } from "../../platform/mail-transport.ts";
import type { EndpointRow } from "./endpoint-rows.ts";

type Deps = { db: Database; transport: MailTransport; from: string; log: Logger };

/** Tells the owners of webhooks that failures have disabled. A mail that cannot be sent is tried again. */
export function createSendNotices({ db, transport, from, log }: Deps) {
  return async function sendNotices(): Promise<void> {
    const due: EndpointRow[] = await db<EndpointRow>("endpoints").whereNotNull("notice_due_at").limit(20);
    for (const row of due) {
      if (row.notify_email === null) {
        log.warn({ endpointId: row.id }, "webhook was disabled; nobody is told, it has no notify_email");
      } else {
        await transport.send({ from, to: row.notify_email, ...noticeOf(row) });
      }
      await db<EndpointRow>("endpoints").where({ id: row.id }).update({ notice_due_at: null });
    }
  };
}

/** Plain text: nothing to escape, nothing to click. */
export function noticeOf(row: Pick<EndpointRow, "id" | "url" | "failing_since">) {
  const since = row.failing_since?.toISOString() ?? "five days ago";
  return {
    subject: `Webhook ${row.id} was switched off`,
    text: [
      `Your webhook ${row.id}`,
      `  ${row.url}`,
      `has answered nothing but failures since ${since}, so no more events are sent to it.`,
      "",
      "Nothing is lost: events are kept for 30 days. Once a day one of them is sent as a trial. When it is answered",
      "with 2xx, the webhook is switched on again and gets what it missed, oldest first.",
      "",
      `To switch it on yourself: PATCH /api/v1/webhooks/${row.id} with {"status": "enabled"}.`,
      `To see what went wrong: GET /api/v1/webhooks/${row.id}/deliveries.`,
    ].join("\n"),
  };
}
