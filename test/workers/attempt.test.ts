import t from "tap";
import { createAttempt, isStopped } from "../../workers/attempt.ts";
import { createSlots } from "../../workers/slots.ts";

const of = (boundMs: number, slots = createSlots(1)) =>
  createAttempt({
    jobId: "job",
    number: 1,
    boundMs,
    slots,
    firstSlot: slots.tryEnter() ?? (() => undefined),
  });

t.test("one attempt of a job", async (t) => {
  t.test("begins in the slot that it was given, and then takes turns", async (t) => {
    const slots = createSlots(1);
    const attempt = of(60_000, slots);
    await attempt.inSlot(async () => t.equal(slots.busy(), 1));
    t.equal(slots.busy(), 0);
    await attempt.inSlot(async () => t.equal(slots.busy(), 1));
  });

  t.test("is over when its time in slots is over, with the failure that callers read", async (t) => {
    const attempt = of(20);
    await attempt.inSlot(() => new Promise((resolve) => attempt.signal.addEventListener("abort", resolve)));
    t.match(attempt.signal.reason, { code: "processing_timeout" });
    await t.rejects(
      attempt.inSlot(async () => t.fail()),
      { code: "processing_timeout" },
    );
  });

  t.test("tells being stopped from outside and failing apart", async (t) => {
    const attempt = of(60_000);
    attempt.stop("cancelled");
    t.ok(isStopped(attempt.signal.reason));
    t.notOk(isStopped(new Error("cancelled")));
  });
});
