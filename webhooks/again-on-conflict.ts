import type { Database, Transaction } from "../platform/database.ts";

/** Deadlock, lock wait, and a row that another process inserted first (MySQL error numbers, the same on MariaDB). */
const conflicts = new Set([1213, 1205, 1062]);
const mostTries = 5;

/**
 * Does the work in a transaction, and once more from the beginning when it met another one's: the work must hold
 * nothing over from a try that was rolled back.
 */
export async function againOnConflict<Result>(
  db: Database,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const { errno } = error as { errno?: number };
      if (attempt === mostTries || errno === undefined || !conflicts.has(errno)) throw error;
    }
  }
}
