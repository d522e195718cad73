import t from "tap";
import { afterAttempt } from "../../../gateway/jobs/after-attempt.ts";
import type { FailureCode } from "../../../platform/contracts/failures.ts";

t.test("an attempt that did not succeed", async (t) => {
  const table: [FailureCode, lostBefore: number, "retry" | "fail"][] = [
    ["internal_error", 0, "retry"],
    ["internal_error", 1, "retry"],
    ["internal_error", 2, "fail"],
    ["unavailable", 0, "retry"],
    ["invalid_pdf", 0, "fail"],
    ["too_complex", 0, "fail"],
    ["processing_timeout", 0, "fail"],
  ];
  for (const [code, lostBefore, expected] of table) {
    t.equal(afterAttempt(code, lostBefore), expected, `${code} after ${lostBefore} losses: ${expected}`);
  }
});
