import type { z } from "zod";
import type { RequestList } from "../../platform/contracts/http-api/signature-requests.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Database } from "../../platform/database.ts";
import { countListed, listedIds } from "./listed-requests.ts";
import { readRequests } from "./request-rows.ts";
import { listedView } from "./request-view.ts";

type Deps = { db: Database; now: () => Date; expireRequests: (accountId: string) => Promise<number> };
type Question = z.output<typeof asked.listRequests.question>;

/** One page of an account's requests, newest first. */
export function createListRequests({ db, now, expireRequests }: Deps) {
  return async function listRequests({ accountId, query }: Question): Promise<RequestList> {
    const { page, per_page, status, external_id: externalId } = query;
    const filter = { accountId, status, externalId };
    const read = () =>
      Promise.all([
        countListed(db, filter),
        listedIds(db, filter, { offset: (page - 1) * per_page, limit: per_page }),
      ]);
    // A request past its time is expired for every reader, also for one who filters by status before the sweep ran.
    const [expired, asTheyWere] = await Promise.all([expireRequests(accountId), read()]);
    const [total, ids] = expired === 0 ? asTheyWere : await read();
    const requests = await readRequests(db, ids);
    return {
      signature_requests: requests.map((request) => listedView(request, now())),
      pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
    };
  };
}
