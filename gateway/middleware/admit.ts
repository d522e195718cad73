import { Failure } from "../../platform/contracts/failures.ts";
import type { Permission } from "../../platform/contracts/http-api/envelope.ts";
import type { Caller } from "../route.ts";
import type { Context } from "../state.ts";
import type { Authenticate } from "./authenticate.ts";
import type { CountCall } from "./rate-limit.ts";

/**
 * Lets a call in: a valid key, within the account's rate, on a plan that has the service, with the permission.
 * @throws Failure unauthorized, rate_limited, plan_required, insufficient_permissions
 */
export type Admit = (context: Context, permission: Permission) => Promise<Caller>;

export function createAdmit(deps: { authenticate: Authenticate; countCall: CountCall }): Admit {
  return async function admit(context, permission) {
    const holder = await deps.authenticate(context.get("Authorization"));
    const { keyId, accountId, plan, permissions } = holder;
    const caller: Caller = { keyId, accountId, plan, permissions };
    context.state.caller = caller;
    const rate = await deps.countCall(accountId, holder.rateLimitPerMinute);
    context.set({
      "RateLimit-Limit": String(rate.limit),
      "RateLimit-Remaining": String(rate.remaining),
      "RateLimit-Reset": String(rate.resetSeconds),
    });
    if (rate.exceeded) {
      const message = `This account may make ${rate.limit} calls a minute. Try again in ${rate.resetSeconds} s.`;
      throw new Failure("rate_limited", message, { retryAfterSeconds: rate.resetSeconds });
    }
    if (plan === "free") {
      throw new Failure(
        "plan_required",
        "The API is part of the Premium and Business plans. Change your plan first.",
      );
    }
    if (!permissions.includes(permission)) {
      throw new Failure(
        "insufficient_permissions",
        `This key lacks the permission ${permission}. Use a key that has it.`,
      );
    }
    return caller;
  };
}
