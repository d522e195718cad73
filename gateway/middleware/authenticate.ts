import { Failure } from "../../platform/contracts/failures.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { hashKey, isApiKey } from "../accounts/api-key.ts";
import { findKeyHolder, type KeyHolder, noteUse } from "../accounts/key-rows.ts";

/** Says who holds the key of an `Authorization` header. @throws Failure unauthorized */
export type Authenticate = (header: string) => Promise<KeyHolder>;

/** A revoked key is refused after this at the latest. */
const trustedMs = 4000;
const mostTrusted = 10_000;

type Deps = { db: Database; log: Logger; now: () => Date };

export function createAuthenticate({ db, log, now }: Deps): Authenticate {
  /** By the hash of the key, oldest first. */
  const trusted = new Map<string, { holder: KeyHolder; until: number }>();

  async function lookUp(hash: string): Promise<KeyHolder> {
    const holder = await findKeyHolder(db, hash, now());
    if (holder === null) throw unauthorized("This API key is unknown, revoked or expired.");
    for (const oldest of trusted.keys()) {
      if (trusted.size < mostTrusted) break;
      trusted.delete(oldest);
    }
    trusted.delete(hash);
    trusted.set(hash, { holder, until: now().getTime() + trustedMs });
    noteUse(db, holder.keyId, now()).catch((err) => log.warn({ err }, "last use of a key was not noted"));
    return holder;
  }

  return async function authenticate(header) {
    const [, key] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
    if (key === undefined)
      throw unauthorized("Send your API key in the header: Authorization: Bearer <API_KEY>.");
    if (!isApiKey(key)) throw unauthorized("This is not an API key: it is mistyped or incomplete.");
    const hash = hashKey(key);
    const known = trusted.get(hash);
    const at = now().getTime();
    if (known === undefined || known.until <= at) return lookUp(hash);
    if (known.holder.expiresAt !== null && known.holder.expiresAt.getTime() <= at) return lookUp(hash);
    return known.holder;
  };
}

function unauthorized(message: string): Failure {
  return new Failure("unauthorized", message);
}
