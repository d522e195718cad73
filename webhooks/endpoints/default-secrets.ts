import type { Database } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { makeSecret } from "./make-secret.ts";

/** What signs for an account's calls that bring no secret of their own. Made when it is first asked for. */
export type DefaultSecretOf = (accountId: string) => Promise<string>;

export function createDefaultSecretOf(db: Database, secretBox: SecretBox): DefaultSecretOf {
  const read = (accountId: string) => db("default_secrets").where({ account_id: accountId }).first();
  return async function defaultSecretOf(accountId) {
    const known = await read(accountId);
    if (known !== undefined) return secretBox.open(known.sealed_secret);
    // Two processes may get here at once: the first row stays, and both read it.
    await db("default_secrets")
      .insert({ account_id: accountId, sealed_secret: secretBox.seal(makeSecret()), created_at: new Date() })
      .onConflict("account_id")
      .ignore();
    return secretBox.open((await read(accountId)).sealed_secret);
  };
}
