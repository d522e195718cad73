import { type FailureCode, failures } from "../../platform/contracts/failures.ts";
import { maxLostAttempts } from "../../platform/contracts/job-state.ts";

/**
 * What becomes of a job whose attempt did not succeed: tried again while the fault may pass and not too many attempts
 * were lost before; otherwise it has failed.
 */
export function afterAttempt(code: FailureCode, lostBefore: number): "retry" | "fail" {
  return failures[code].retryable && lostBefore + 1 < maxLostAttempts ? "retry" : "fail";
}
