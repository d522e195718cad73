import type { Database } from "../../platform/database.ts";
import { deliveryHeaders } from "../delivering/delivery-headers.ts";
import { signPayload } from "../delivering/sign-payload.ts";
import { bodyOf, type Task } from "../delivering/task.ts";
import type { KnownEndpoint } from "../endpoints/known-endpoints.ts";

/** An event under its number at one webhook. */
export type RecordedEvent = Pick<Task, "sequence" | "event">;

/** What a webhook was sent, or will be, from a sequence on. */
export async function recordedFor(
  db: Database,
  webhookId: string,
  { after, limit }: { after: number; limit: number },
): Promise<RecordedEvent[]> {
  const rows = await db("deliveries as d")
    .join("events as e", "e.id", "d.event_id")
    .where("d.endpoint_id", webhookId)
    .andWhere("d.sequence", ">", after)
    .orderBy("d.sequence")
    .limit(limit)
    .select("d.sequence", "d.event_id", "e.type", "e.job_id", "e.body_json", "e.blob_key", "e.blob_size");
  return rows.map((row) => ({
    sequence: row.sequence,
    event: { id: row.event_id, type: row.type, jobId: row.job_id, body: bodyOf(row) },
  }));
}

/** The headers that a delivery of these bytes would have now. */
export async function signedHeaders(
  recorded: RecordedEvent,
  { secret, previousSecret }: Pick<KnownEndpoint, "secret" | "previousSecret">,
  at: Date,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Record<string, string>> {
  const signer = signPayload({
    secret: secret ?? "",
    previousSecret: previousSecret !== null && previousSecret.until > at ? previousSecret.secret : null,
    messageId: recorded.event.id,
    timestamp: Math.floor(at.getTime() / 1000),
  });
  for await (const chunk of bytes) signer.update(chunk);
  return deliveryHeaders(recorded, signer.headers());
}
