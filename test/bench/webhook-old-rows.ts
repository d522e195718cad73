import type { Database } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";

const chunk = 5000;

/** Deliveries of the last weeks, half of them delivered after a retry, to a hundred endpoints that are no more. */
export async function fillWithOldRows(db: Database, count: number): Promise<void> {
  const endpoints = Array.from({ length: 100 }, () => newId("webhook"));
  const created = new Date(Date.now() - 14 * 24 * 3600 * 1000);
  for (let from = 0; from < count; from += chunk) {
    const ids = Array.from({ length: Math.min(chunk, count - from) }, (_, offset) => ({
      event: newId("event"),
      delivery: newId("delivery"),
      number: from + offset,
    }));
    await db("events").insert(
      ids.map(({ event }) => ({
        ...{ id: event, account_id: "acc_old", type: "signature_request.created" },
        ...{ body_json: '{"event":"signature_request.created"}', occurred_at: created, recorded_at: created },
      })),
    );
    await db("deliveries").insert(
      ids.map(({ event, delivery, number }) => ({
        ...{ id: delivery, endpoint_id: endpoints[number % 100], event_id: event },
        ...{ sequence: Math.floor(number / 100) + 1, status: number % 10 === 0 ? "failed" : "delivered" },
        ...{ tries: 1, created_at: created, delivered_at: created },
      })),
    );
    await db("attempts").insert(
      ids.map(({ delivery }) => ({
        ...{ delivery_id: delivery, number: 1, started_at: created, duration_ms: 20 },
        ...{ outcome: "delivered", status_code: 200 },
      })),
    );
  }
}
