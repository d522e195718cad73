import type { Database } from "../../platform/database.ts";

const batch = 1000;

/**
 * Fills an account with old requests, straight into the tables, by copying one that was made over HTTP. Every status
 * but `in_progress` gets its share; every tenth has an external id of its own.
 */
export async function fillWithRequests(
  db: Database,
  { sample, count }: { sample: string; count: number },
): Promise<void> {
  const request = await db("signature_requests").where({ id: sample }).first();
  const signer = await db("signers").where({ request_id: sample }).first();
  const statuses = ["pending", "completed", "cancelled", "expired"];
  for (let start = 0; start < count; start += batch) {
    const ids = Array.from({ length: batch }, (_, index) => (start + index).toString(36).padStart(26, "0"));
    await db("signature_requests").insert(
      ids.map((id, index) => ({
        ...request,
        id: `sr_${id}`,
        status: statuses[index % statuses.length],
        external_id: index % 10 === 0 ? Buffer.from(`order-${start + index}`) : null,
        created_at: new Date(request.created_at.getTime() - (count - start - index) * 1000),
      })),
    );
    await db("signers").insert(ids.map((id) => ({ ...signer, id: `sgn_${id}`, request_id: `sr_${id}` })));
  }
  await db("request_counts").insert(
    statuses.map((status) => ({
      account_id: request.account_id,
      status,
      shard: 99,
      total: count / statuses.length,
    })),
  );
}
