import type { Database } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { deliveryHeaders } from "../delivering/delivery-headers.ts";
import { ownWebhook } from "../endpoints/endpoint-rows.ts";
import { knownEndpoint } from "../endpoints/known-endpoints.ts";
import { recordedFor, signedHeaders } from "./recorded-event.ts";

const maxInlineBytes = 64 * 1024;
/** All bodies of one answer: it travels as one message of at most 1 MB, and escaping may double a body. */
const maxAnswerBytes = 256 * 1024;

type Deps = { db: Database; secretBox: SecretBox; now: () => Date };
type Pull = { accountId: string; webhookId: string; query: { after: number; limit: number } };

/** What was recorded for a webhook after a sequence, with the same bodies and signatures as by push. */
export function createPullEvents({ db, secretBox, now }: Deps) {
  return async function pullEvents({ accountId, webhookId, query }: Pull) {
    const row = await ownWebhook(db, { accountId, webhookId });
    const endpoint = knownEndpoint(row, secretBox);
    const recorded = await recordedFor(db, webhookId, { after: query.after, limit: query.limit });
    const events = [];
    let bytes = 0;
    for (const one of recorded) {
      const { sequence, event } = one;
      const json = event.body.in === "message" ? event.body.json : null;
      const body = json !== null && Buffer.byteLength(json) <= maxInlineBytes ? json : null;
      bytes += Buffer.byteLength(body ?? "");
      if (bytes > maxAnswerBytes) break;
      events.push({
        ...{ sequence, event_id: event.id, event: event.type, body },
        // A large body is signed when it is fetched.
        headers:
          body === null
            ? deliveryHeaders(one, {})
            : await signedHeaders(one, endpoint, now(), [Buffer.from(body)]),
        body_url: `/api/v1/webhooks/${webhookId}/events/${sequence}`,
      });
    }
    const first = await db("deliveries")
      .where({ endpoint_id: webhookId })
      .min({ sequence: "sequence" })
      .first();
    return {
      events,
      first_sequence: Number(first?.sequence ?? 0),
      last_sequence: row.last_sequence,
      has_more: (events.at(-1)?.sequence ?? query.after) < row.last_sequence && events.length > 0,
    };
  };
}
