import type { z } from "zod";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Database } from "../../platform/database.ts";
import { readTrail } from "./audit-rows.ts";
import { requireOwn } from "./change-request.ts";
import { readRequest } from "./request-rows.ts";

type Question = z.output<typeof asked.listAuditEvents.question>;

/** The audit trail from its beginning, page by page. */
export function createListAuditEvents({ db }: { db: Database }) {
  return async function listAuditEvents({ id, accountId, page, perPage }: Question) {
    const request = requireOwn(await readRequest(db, id), accountId);
    const entries = await readTrail(db, id, { offset: (page - 1) * perPage, limit: perPage });
    const total = request.trailEnd.sequence;
    return {
      events: entries.map((entry) => ({
        sequence: entry.sequence,
        kind: entry.kind,
        at: entry.at,
        actor: entry.actor,
        ip: entry.ip,
        user_agent: entry.userAgent,
        document_sha256: entry.documentSha256,
        details: entry.details,
        previous_hash: entry.previousHash,
        hash: entry.hash,
      })),
      pagination: { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage) },
    };
  };
}
