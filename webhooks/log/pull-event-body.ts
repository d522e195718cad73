import type { BlobStore } from "../../platform/blob-store.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import type { Database } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { ownWebhook } from "../endpoints/endpoint-rows.ts";
import { knownEndpoint } from "../endpoints/known-endpoints.ts";
import { recordedFor, signedHeaders } from "./recorded-event.ts";

type Deps = { db: Database; secretBox: SecretBox; blobs: BlobStore; now: () => Date };
type One = { accountId: string; webhookId: string; sequence: number };

/** One event's body and the headers that sign it, however large it is. */
export function createPullEventBody({ db, secretBox, blobs, now }: Deps) {
  return async function pullEventBody({ accountId, webhookId, sequence }: One) {
    const row = await ownWebhook(db, { accountId, webhookId });
    const [recorded] = await recordedFor(db, webhookId, { after: sequence - 1, limit: 1 });
    if (recorded?.sequence !== sequence) {
      throw new Failure(
        "not_found",
        `Webhook ${webhookId} has no event ${sequence}. Events are kept for 30 days.`,
      );
    }
    const { body } = recorded.event;
    const bytes = body.in === "message" ? [Buffer.from(body.json)] : blobs.read(body.blob);
    return { headers: await signedHeaders(recorded, knownEndpoint(row, secretBox), now(), bytes), body };
  };
}
