import type { Plan } from "../../platform/contracts/http-api/envelope.ts";
import type { Database } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";

export type Account = {
  id: string;
  name: string;
  plan: Plan;
  /** Null means the configured default. */
  rateLimitPerMinute: number | null;
  createdAt: Date;
};

export async function createAccount(
  db: Database,
  { name, plan, rateLimitPerMinute = null }: { name: string; plan: Plan; rateLimitPerMinute?: number | null },
): Promise<Account> {
  const account = { id: newId("account"), name, plan, rateLimitPerMinute, createdAt: new Date() };
  await db("accounts").insert({
    id: account.id,
    name,
    plan,
    rate_limit_per_minute: rateLimitPerMinute,
    created_at: account.createdAt,
  });
  return account;
}

/** By id or by name. */
export async function findAccount(db: Database, idOrName: string): Promise<Account | null> {
  const row = await db("accounts").where({ id: idOrName }).orWhere({ name: idOrName }).first();
  return row === undefined ? null : accountOf(row);
}

/** Oldest first. */
export async function listAccounts(db: Database): Promise<Account[]> {
  return (await db("accounts").orderBy("id")).map(accountOf);
}

/** @returns false if there is no such account */
export async function changeAccount(
  db: Database,
  id: string,
  change: { plan?: Plan; rateLimitPerMinute?: number | null },
): Promise<boolean> {
  const columns = {
    ...(change.plan === undefined ? {} : { plan: change.plan }),
    ...(change.rateLimitPerMinute === undefined ? {} : { rate_limit_per_minute: change.rateLimitPerMinute }),
  };
  return (await db("accounts").where({ id }).update(columns)) > 0;
}

type Row = { id: string; name: string; plan: Plan; rate_limit_per_minute: number | null; created_at: Date };

function accountOf(row: Row): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    rateLimitPerMinute: row.rate_limit_per_minute,
    createdAt: row.created_at,
  };
}
