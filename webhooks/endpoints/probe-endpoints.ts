import type { Database, Transaction } from "../../platform/database.ts";
import { type Hand, takeInHand } from "../delivering/take-in-hand.ts";
import type { Task } from "../delivering/task.ts";
import { probeEveryMs } from "./disable-endpoint.ts";
import type { EndpointRow } from "./endpoint-rows.ts";

const mostAtOnce = 100;

/**
 * Once a day, one delivery to each endpoint that failures have disabled: the oldest that it missed. If it succeeds,
 * the endpoint is enabled and gets the rest.
 */
export async function probeEndpoints(db: Database, hand: Hand, now: Date): Promise<Task[]> {
  const due: EndpointRow[] = await db<EndpointRow>("endpoints")
    .where("probe_at", "<=", now)
    .orderBy("probe_at")
    .limit(mostAtOnce);
  const probes: Task[] = [];
  for (const { id } of due) probes.push(...(await db.transaction((trx) => probe(trx, hand, id, now))));
  return probes;
}

async function probe(trx: Transaction, hand: Hand, id: string, now: Date): Promise<Task[]> {
  const next = new Date(now.getTime() + probeEveryMs);
  // Of several processes that found it due, one moves it on.
  const mine = await trx("endpoints")
    .where({ id })
    .andWhere("probe_at", "<=", now)
    .update({ probe_at: next });
  if (mine === 0) return [];
  const oldest = await trx("deliveries")
    .where({ status: "held", endpoint_id: id })
    .orderBy(["due_at", "id"])
    .first("id")
    .forUpdate();
  if (oldest === undefined) return [];
  await trx("deliveries").where({ id: oldest.id }).update({ status: "pending", due_at: now });
  const tasks = await takeInHand(trx, hand, [oldest.id]);
  return tasks.map((task) => ({ ...task, probe: true }));
}
