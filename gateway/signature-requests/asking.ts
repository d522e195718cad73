import type { z } from "zod";
import { Failure } from "../../platform/contracts/failures.ts";
import { signatureRequestId } from "../../platform/contracts/ids.ts";
import type { Call, Caller } from "../route.ts";

/** Whose connection and key it was: what the audit trail says of a call. */
export function keyHolder({
  caller,
  ip,
  userAgent,
}: Pick<Call<unknown, unknown, unknown>, "ip" | "userAgent"> & { caller: Caller }) {
  return { accountId: caller.accountId, keyId: caller.keyId, ip, userAgent };
}

/** @throws Failure `not_found` for what cannot be an id, as for one that does not exist */
export function requestId(params: { id: string }): z.output<typeof signatureRequestId> {
  const parsed = signatureRequestId.safeParse(params.id);
  if (parsed.success) return parsed.data;
  throw new Failure("not_found", "There is no such signature request. Check its id.");
}
