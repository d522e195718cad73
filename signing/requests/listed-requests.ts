import type { RequestStatus } from "../../platform/contracts/http-api/signature-requests.ts";
import type { Database, Transaction } from "../../platform/database.ts";
import { requestTable } from "./request-rows.ts";

const countTable = "request_counts";
const shards = 16;

export type ListFilter = {
  accountId: string;
  status: RequestStatus | undefined;
  externalId: string | undefined;
};

/** Ids of one page of the list, newest first. Read from an index alone: only the page's own rows are fetched, by id. */
export async function listedIds(
  db: Database,
  filter: ListFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<string[]> {
  return matching(db, filter)
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "id", order: "desc" },
    ])
    .limit(limit)
    .offset(offset)
    .pluck("id");
}

/** How many requests match. Without an external id that is kept in counts; with one there are few to count. */
export async function countListed(db: Database, filter: ListFilter): Promise<number> {
  if (filter.externalId !== undefined) {
    const row = await matching(db, filter).count({ total: "*" }).first();
    return Number(row?.total ?? 0);
  }
  const query = db(countTable).where({ account_id: filter.accountId }).sum({ total: "total" });
  const row = await (filter.status === undefined ? query : query.where({ status: filter.status })).first();
  return Number(row?.total ?? 0);
}

function matching(db: Database, { accountId, status, externalId }: ListFilter) {
  const query = db(requestTable).where({ account_id: accountId });
  if (status !== undefined) query.where({ status });
  if (externalId !== undefined) query.where({ external_id: Buffer.from(externalId) });
  return query;
}

/** Notes that one request of the account came into a status, or left one for another. */
export async function countStatus(
  trx: Transaction,
  accountId: string,
  { from, to }: { from: RequestStatus | null; to: RequestStatus },
): Promise<void> {
  if (from === to) return;
  const shard = Math.floor(Math.random() * shards);
  const steps: [RequestStatus, number][] = [[to, 1]];
  if (from !== null) steps.push([from, -1]);
  // Every transaction locks its two counts in the same order, so that none waits for another in a ring.
  steps.sort(([a], [b]) => a.localeCompare(b));
  await trx.raw(
    `INSERT INTO ${countTable} (account_id, status, shard, total) VALUES ${steps.map(() => "(?, ?, ?, ?)").join(", ")}
     ON DUPLICATE KEY UPDATE total = total + VALUES(total)`,
    steps.flatMap(([status, step]) => [accountId, status, shard, step]),
  );
}
