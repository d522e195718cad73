import type { Database, Transaction } from "../../platform/database.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import { deliveriesBy } from "./deliveries-by.ts";
import { type Hand, takeInHand } from "./take-in-hand.ts";
import type { Task } from "./task.ts";

type Deps = Hand & { db: Database; now: () => Date };

export type Claimed = {
  tasks: Task[];
  /** More endpoints had something due than were looked at: ask again at once. */
  more: boolean;
};

/** Endpoints that one claim looks at: bounds the statement. */
const mostEndpoints = 64;

/**
 * Takes in hand what is due, for each endpoint as much as there is room for: an endpoint with a long queue hides
 * nobody else's. Rows that another process is claiming are passed over.
 */
export function createClaimDue(deps: Deps) {
  const { db, room, left, now } = deps;

  return async function claimDue(): Promise<Claimed> {
    const at = now();
    const due = await endpointsWithDue(db, at);
    const wanted = due.map((id) => ({ id, most: room(id) }));
    for (const { id, most } of wanted) if (most === 0) left(id);
    const looked = wanted.filter(({ most }) => most > 0).slice(0, mostEndpoints);
    if (looked.length === 0) return { tasks: [], more: false };
    const candidates = await dueDeliveries(db, looked, at);
    for (const { id, most } of looked) {
      if (candidates.filter(({ endpoint_id }) => endpoint_id === id).length === most) left(id);
    }
    const ids = candidates.map(({ id }) => id);
    const tasks = await againOnConflict(db, (trx) => lease(trx, ids, at));
    return { tasks, more: looked.length === mostEndpoints };
  };

  async function lease(trx: Transaction, candidates: readonly string[], at: Date): Promise<Task[]> {
    const rows = await deliveriesBy(trx, "PRIMARY")
      .whereIn("id", candidates)
      .andWhere("status", "pending")
      .andWhere("due_at", "<=", at)
      .select("id")
      .forUpdate()
      .skipLocked();
    return takeInHand(
      trx,
      deps,
      rows.map(({ id }) => id as string),
    );
  }
}

/** In random order, so that more endpoints than one claim looks at all get their turn. */
async function endpointsWithDue(db: Database, at: Date): Promise<string[]> {
  // Grouped by the whole front of the index, the server hops from endpoint to endpoint (a loose index scan) and reads
  // one row of each, however many are pending.
  const rows: { endpoint_id: string }[] = await db("deliveries")
    .where("status", "pending")
    .groupBy("status", "endpoint_id")
    .select("status", "endpoint_id", db.raw("MIN(due_at) AS earliest"))
    .having("earliest", "<=", at);
  return rows.map(({ endpoint_id }) => endpoint_id).sort(() => Math.random() - 0.5);
}

type Candidate = { id: string; endpoint_id: string };

async function dueDeliveries(
  db: Database,
  endpoints: readonly { id: string; most: number }[],
  at: Date,
): Promise<Candidate[]> {
  const ofOne = `(SELECT id, endpoint_id FROM deliveries WHERE status = 'pending' AND endpoint_id = ? AND due_at <= ?
    ORDER BY due_at, id LIMIT ?)`;
  const [rows] = await db.raw(
    endpoints.map(() => ofOne).join(" UNION ALL "),
    endpoints.flatMap(({ id, most }) => [id, at, most]),
  );
  return rows;
}
