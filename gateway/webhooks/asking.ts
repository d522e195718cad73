import { Failure } from "../../platform/contracts/failures.ts";
import { deliveryId, webhookId } from "../../platform/contracts/ids.ts";
import type { Caller } from "../route.ts";

type OfWebhook = { caller: Caller; params: { webhook_id: string } };

/** Whose webhook is meant. @throws Failure `not_found` for what cannot be an id, as for one that does not exist */
export function whose({ caller, params }: OfWebhook): { accountId: string; webhookId: string } {
  const parsed = webhookId.safeParse(params.webhook_id);
  if (parsed.success) return { accountId: caller.accountId, webhookId: parsed.data };
  throw new Failure("not_found", "There is no such webhook. Check its id.");
}

/** @throws Failure `not_found`, as `whose` */
export function whichDelivery({ caller, params }: { caller: Caller; params: { delivery_id: string } }) {
  const parsed = deliveryId.safeParse(params.delivery_id);
  if (parsed.success) return { accountId: caller.accountId, deliveryId: parsed.data };
  throw new Failure("not_found", "There is no such delivery. Check its id.");
}
