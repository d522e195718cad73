import fc from "fast-check";
import t from "tap";
import { nextTryAt, readRetryAfter, retryDelaysMs } from "../../../webhooks/delivering/retry-schedule.ts";

const hour = 3600_000;
const now = Date.parse("2026-11-21T12:00:00Z");

t.test("the retry schedule", async (t) => {
  t.test("makes 11 tries over about three days", async (t) => {
    t.equal(retryDelaysMs.length + 1, 11);
    const total = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);
    t.ok(total > 2.5 * 24 * hour && total < 3.5 * 24 * hour);
  });

  t.test("waits longer after each failure, and gives up when it ends", async (t) => {
    const middle = (tries: number) => nextTryAt({ tries, now, retryAfterMs: null, random: 0.5 });
    const waits = retryDelaysMs.map((_, index) => (middle(index + 1) ?? 0) - now);
    t.same(waits, retryDelaysMs);
    t.equal(middle(11), null);
  });

  t.test("spreads each wait by a fifth, and never before the receiver's own time", async () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 100 * hour })),
        (tries, random, retryAfterMs) => {
          const delayMs = (nextTryAt({ tries, now, random, retryAfterMs }) ?? 0) - now;
          const plannedMs = retryDelaysMs[tries - 1] ?? 0;
          const askedMs = Math.min(retryAfterMs ?? 0, 24 * hour);
          return (
            delayMs >= Math.floor(Math.max(plannedMs * 0.8, askedMs)) &&
            delayMs <= Math.ceil(Math.max(plannedMs * 1.2, askedMs))
          );
        },
      ),
    );
  });
});

t.test("Retry-After", async (t) => {
  for (const [header, expected] of [
    [undefined, null],
    ["120", 120_000],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["Saturday, 21-Nov-26 12:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["1e3", null],
    ["99999999999999999999", null],
    ["", null],
  ] as const) {
    t.equal(readRetryAfter(header, now), expected, `reads ${JSON.stringify(header)}`);
  }
});
