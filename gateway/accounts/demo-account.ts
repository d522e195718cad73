import type { Database } from "../../platform/database.ts";
import { createAccount, findAccount } from "./account-rows.ts";
import { createKey } from "./key-rows.ts";

const name = "Demo";

/** Makes the account that `npm start` shows, with a key for everything. Its key is known only this once: null later. */
export async function ensureDemoAccount(db: Database): Promise<{ key: string } | null> {
  if ((await findAccount(db, name)) !== null) return null;
  const account = await createAccount(db, { name, plan: "business" });
  const { secret } = await createKey(db, { accountId: account.id, name: "made by npm start" });
  return { key: secret };
}
