import type { z } from "zod";
import type { RequestDetail } from "../../platform/contracts/http-api/signature-requests.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Database } from "../../platform/database.ts";
import { requireOwn } from "./change-request.ts";
import { readRequest } from "./request-rows.ts";
import { detailView } from "./request-view.ts";

type Question = z.output<typeof asked.getRequest.question>;

export function createGetRequest({ db, now }: { db: Database; now: () => Date }) {
  return async function getRequest({ id, accountId }: Question): Promise<RequestDetail> {
    return detailView(requireOwn(await readRequest(db, id), accountId), now());
  };
}
