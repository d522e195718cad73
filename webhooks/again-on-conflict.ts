import type { Database, Transaction } from "../platform/database.ts";
import { retryDeadlock } from "../platform/retry-deadlock.ts";

/** A row that another process inserted first (MySQL's error number, the same on MariaDB). */
const duplicateRow = 1062;

/** Does the work in a transaction, and once more from the beginning when it met another one's. */
export function againOnConflict<Result>(
  db: Database,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retryDeadlock(() => db.transaction(work), [duplicateRow]);
}
