import type { Database, Transaction } from "../../platform/database.ts";

/**
 * Deliveries, found by one index and no other. A locking statement locks every row that it reads: left to choose, the
 * server may take the index of states and lock all that is pending, for a handful of ids.
 */
export function deliveriesBy(db: Database | Transaction, index: "PRIMARY" | "first_tries") {
  return db(db.raw(`deliveries FORCE INDEX (${index})`));
}
