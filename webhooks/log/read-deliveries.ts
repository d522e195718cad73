import { Failure } from "../../platform/contracts/failures.ts";
import type { DeliveryData } from "../../platform/contracts/http-api/webhooks.ts";
import type {
  AttemptOutcome,
  DeliveredType,
  DeliveryStatus,
} from "../../platform/contracts/webhook-delivery.ts";
import type { Database } from "../../platform/database.ts";
import { ownWebhook } from "../endpoints/endpoint-rows.ts";

type Listing = {
  accountId: string;
  webhookId: string;
  query: { page: number; per_page: number; status?: DeliveryStatus | undefined };
};

/** A webhook's deliveries with every attempt, newest first. */
export function createListDeliveries(db: Database) {
  return async function listDeliveries({ accountId, webhookId, query }: Listing) {
    await ownWebhook(db, { accountId, webhookId });
    const { page, per_page, status } = query;
    const where = { endpoint_id: webhookId, ...(status === undefined ? {} : { status }) };
    const [counted] = await db("deliveries").where(where).count({ total: "*" });
    const ids: string[] = await db("deliveries")
      .where(where)
      .orderBy(newestFirst(status))
      .limit(per_page)
      .offset((page - 1) * per_page)
      .pluck("id");
    const total = Number(counted?.total);
    return {
      deliveries: await deliveriesOf(db, ids),
      pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
    };
  };
}

/** As an index has them: settled deliveries of a status stand in the order of their ids, which is that of their numbers. */
function newestFirst(status: DeliveryStatus | undefined) {
  const columns = status === undefined || status === "pending" ? ["sequence"] : ["due_at", "id"];
  return columns.map((column) => ({ column, order: "desc" as const }));
}

/** @throws Failure not_found */
export async function readDelivery(db: Database, id: string): Promise<DeliveryData> {
  const [delivery] = await deliveriesOf(db, [id]);
  if (delivery === undefined) throw new Failure("not_found", `There is no delivery ${id}.`);
  return delivery;
}

type DeliveryRow = {
  id: string;
  endpoint_id: string;
  event_id: string;
  type: DeliveredType;
  sequence: number;
  status: DeliveryStatus;
  due_at: Date | null;
  created_at: Date;
  delivered_at: Date | null;
};

async function deliveriesOf(db: Database, ids: readonly string[]): Promise<DeliveryData[]> {
  const rows: DeliveryRow[] = await db("deliveries as d")
    .join("events as e", "e.id", "d.event_id")
    .whereIn("d.id", ids)
    .orderBy("d.sequence", "desc")
    .select("d.id", "d.endpoint_id", "d.event_id", "e.type", "d.sequence", "d.status", "d.due_at")
    .select("d.created_at", "d.delivered_at");
  const attempts = await attemptsOf(db, ids);
  return rows.map((row) => ({
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event: row.type,
    sequence: row.sequence,
    status: row.status,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    next_attempt_at: row.due_at?.toISOString() ?? null,
    attempts: attempts.get(row.id) ?? [],
  }));
}

/** All answers' bodies of a page: it travels as one message of at most 1 MB, and escaping may double a body. */
const maxBodiesBytes = 256 * 1024;

type AttemptRow = {
  delivery_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  outcome: AttemptOutcome;
  status_code: number | null;
  response_body: Buffer | null;
};

async function attemptsOf(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, DeliveryData["attempts"]>> {
  const rows: AttemptRow[] = await db("attempts").whereIn("delivery_id", ids).orderBy("id");
  const maxBodyBytes = Math.floor(maxBodiesBytes / Math.max(rows.length, 1));
  const byDelivery = new Map<string, DeliveryData["attempts"]>();
  for (const row of rows) {
    const { delivery_id, number, started_at, duration_ms, outcome, status_code, response_body } = row;
    const attempt = {
      ...{ number, duration_ms, outcome, status_code },
      started_at: started_at.toISOString(),
      response_body: response_body?.toString("utf8", 0, maxBodyBytes) ?? null,
    };
    byDelivery.set(delivery_id, [...(byDelivery.get(delivery_id) ?? []), attempt]);
  }
  return byDelivery;
}
