import { type Permission, type Plan, permissions } from "../../platform/contracts/http-api/envelope.ts";
import type { Database } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";
import { hashKey, newApiKey, shownParts } from "./api-key.ts";

/** A key as it may be shown: the key itself is nowhere. */
export type ApiKey = {
  id: string;
  accountId: string;
  name: string;
  prefix: string;
  lastFour: string;
  permissions: readonly Permission[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
};

/** Who a valid key stands for. */
export type KeyHolder = {
  keyId: string;
  accountId: string;
  plan: Plan;
  rateLimitPerMinute: number | null;
  permissions: readonly Permission[];
  expiresAt: Date | null;
};

type NewKey = {
  accountId: string;
  name: string;
  /** None named: all. */
  permissions?: readonly Permission[];
  expiresAt?: Date | null;
};

/** Makes a key. `secret` is the key itself, which can be shown now and never again. */
export async function createKey(db: Database, of: NewKey): Promise<{ id: string; secret: string }> {
  const [id, secret] = [newId("key"), newApiKey()];
  const { prefix, lastFour } = shownParts(secret);
  await db("api_keys").insert({
    id,
    account_id: of.accountId,
    name: of.name,
    hash: hashKey(secret),
    prefix,
    last_four: lastFour,
    permissions: JSON.stringify(of.permissions ?? permissions),
    expires_at: of.expiresAt ?? null,
    created_at: new Date(),
  });
  return { id, secret };
}

/** The holder of a key that is neither revoked nor past its end, by the key's hash. */
export async function findKeyHolder(db: Database, hash: string, now: Date): Promise<KeyHolder | null> {
  const row = await db("api_keys")
    .join("accounts", "accounts.id", "api_keys.account_id")
    .where({ hash, revoked_at: null })
    .andWhere((either) => either.whereNull("expires_at").orWhere("expires_at", ">", now))
    .first("api_keys.id", "account_id", "plan", "rate_limit_per_minute", "permissions", "expires_at");
  if (row === undefined) return null;
  return {
    keyId: row.id,
    accountId: row.account_id,
    plan: row.plan,
    rateLimitPerMinute: row.rate_limit_per_minute,
    permissions: JSON.parse(row.permissions),
    expiresAt: row.expires_at,
  };
}

/** To the minute: a write for every call would cost more than it tells. */
export async function noteUse(db: Database, keyId: string, now: Date): Promise<void> {
  const aMinuteAgo = new Date(now.getTime() - 60_000);
  await db("api_keys")
    .where({ id: keyId })
    .andWhere((either) => either.whereNull("last_used_at").orWhere("last_used_at", "<", aMinuteAgo))
    .update({ last_used_at: now });
}

/** @returns false if there is no such key, or it was revoked before */
export async function revokeKey(db: Database, id: string, now: Date): Promise<boolean> {
  return (await db("api_keys").where({ id, revoked_at: null }).update({ revoked_at: now })) > 0;
}

/** Oldest first, revoked ones too. */
export async function listKeys(db: Database, accountId: string): Promise<ApiKey[]> {
  const rows = await db("api_keys").where({ account_id: accountId }).orderBy("id");
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    permissions: JSON.parse(row.permissions),
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  }));
}
