import type { Database } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { type EndpointRow, ownWebhook } from "./endpoint-rows.ts";
import { makeSecret } from "./make-secret.ts";

/** How long the old secret signs too, so that receivers can change over in their own time. */
const overlapMs = 24 * 3600 * 1000;

type Deps = {
  db: Database;
  secretBox: SecretBox;
  tellChanged: (endpointId: string) => void;
  now: () => Date;
};

/** Gives a webhook a new secret. The only answer that holds it. */
export function createRotateSecret({ db, secretBox, tellChanged, now }: Deps) {
  return async function rotateSecret({ accountId, webhookId }: { accountId: string; webhookId: string }) {
    const secret = makeSecret();
    const until = new Date(now().getTime() + overlapMs);
    await db.transaction(async (trx) => {
      const { sealed_secret } = await ownWebhook(trx, { accountId, webhookId }, "lock");
      await trx<EndpointRow>("endpoints")
        .where({ id: webhookId })
        .update({
          sealed_secret: secretBox.seal(secret),
          sealed_previous_secret: sealed_secret,
          previous_secret_until: until,
        });
    });
    tellChanged(webhookId);
    return { id: webhookId, webhook_secret: secret, previous_secret_expires_at: until.toISOString() };
  };
}
