import type { Database } from "../../platform/database.ts";
import { type EndpointRow, webhookData } from "./endpoint-rows.ts";

type Listing = { accountId: string; query: { page: number; per_page: number } };

/** An account's webhooks, newest first. */
export function createListEndpoints(db: Database) {
  return async function listEndpoints({ accountId, query: { page, per_page } }: Listing) {
    const own = () => db<EndpointRow>("endpoints").where({ account_id: accountId, kind: "registered" });
    const [counted] = await own().count({ total: "*" });
    const rows: EndpointRow[] = await own()
      .orderBy("id", "desc")
      .limit(per_page)
      .offset((page - 1) * per_page);
    const total = Number(counted?.total);
    return {
      webhooks: rows.map(webhookData),
      pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
    };
  };
}
