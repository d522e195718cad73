import type { Database } from "../../platform/database.ts";

/** A process that has not been heard of for this long is dead. */
const aliveSeconds = 6;
export const heartbeatEveryMs = 2000;
const batchSize = 500;

/** Says that this process is alive, by the database's clock, which all processes share. */
export async function beat(db: Database, processId: string): Promise<void> {
  await db.raw(
    `INSERT INTO processes (id, alive_until) VALUES (?, NOW(3) + INTERVAL ? SECOND)
     ON DUPLICATE KEY UPDATE alive_until = NOW(3) + INTERVAL ? SECOND`,
    [processId, aliveSeconds, aliveSeconds],
  );
}

/** Makes due what dead processes had in hand. @returns how many deliveries */
export async function takeOver(db: Database, now: Date): Promise<number> {
  await db("processes").where("alive_until", "<", db.raw("NOW(3)")).del();
  const holders: string[] = await db("deliveries")
    .whereNotNull("lease_by")
    .distinct("lease_by")
    .pluck("lease_by");
  const alive = new Set<string>(await db("processes").pluck("id"));
  let count = 0;
  for (const holder of holders.filter((id) => !alive.has(id))) count += await release(db, holder, now);
  return count;
}

/** Makes due what a process had in hand. */
export async function release(db: Database, processId: string, now: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const released = await db("deliveries")
      .where({ lease_by: processId })
      .limit(batchSize)
      .update({ lease_by: null, due_at: db.raw("IF(status = 'pending', ?, NULL)", [now]) });
    count += released;
    if (released < batchSize) return count;
  }
}

/** The process has ended in order. */
export async function sayGoodbye(db: Database, processId: string): Promise<void> {
  await db("processes").where({ id: processId }).del();
}
