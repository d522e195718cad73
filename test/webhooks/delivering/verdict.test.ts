import t from "tap";
import type { AttemptOutcome } from "../../../platform/contracts/webhook-delivery.ts";
import { verdictOn } from "../../../webhooks/delivering/verdict.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

type Told = { outcome: AttemptOutcome; tries?: number; earlierTries?: number; probe?: boolean };

function verdict({ outcome, tries = 0, earlierTries = 0, probe = false }: Told, kind = "registered") {
  return verdictOn({
    task: { tries, earlierTries, probe, event: { type: "signature_request.created" } },
    attempt: { outcome, retryAfter: undefined, endpoint: { kind: kind as "registered" | "call" } },
    now,
    random: 0.5,
  });
}

t.test("what becomes of a delivery", async (t) => {
  t.test("a success ends it, whichever try it was", async (t) => {
    for (const tries of [0, 3, 10]) {
      t.same(verdict({ outcome: "delivered", tries }), { status: "delivered", dueAt: null });
    }
  });

  t.test("any failure is tried again while the schedule lasts", async (t) => {
    for (const outcome of ["refused", "redirected", "timed_out", "tls_failed", "internal_error"] as const) {
      t.same(verdict({ outcome }), { status: "pending", dueAt: now + 5000 }, outcome);
      t.same(verdict({ outcome, tries: 10 }), { status: "failed", dueAt: null }, outcome);
    }
  });

  t.test("a retry on request begins the schedule anew", async (t) => {
    t.same(verdict({ outcome: "refused", tries: 11, earlierTries: 11 }), {
      status: "pending",
      dueAt: now + 5000,
    });
  });

  t.test(
    "410 is the receiver's word: held for the customer to enable, ended for a call's address",
    async (t) => {
      t.same(verdict({ outcome: "gone" }), { status: "held", dueAt: null });
      t.same(verdict({ outcome: "gone" }, "call"), { status: "failed", dueAt: null });
    },
  );

  t.test("a probe that fails goes back to wait for the next", async (t) => {
    t.same(verdict({ outcome: "refused", probe: true }), { status: "held", dueAt: null });
  });

  t.test("a test event is tried once", async (t) => {
    const judged = verdictOn({
      task: { tries: 0, earlierTries: 0, probe: false, event: { type: "webhook.test" } },
      attempt: { outcome: "refused", retryAfter: "1", endpoint: { kind: "registered" } },
      now,
      random: 0,
    });
    t.same(judged, { status: "failed", dueAt: null });
  });

  t.test("Retry-After puts the next try off", async (t) => {
    const judged = verdictOn({
      task: { tries: 0, earlierTries: 0, probe: false, event: { type: "pdf.ocr.failed" } },
      attempt: { outcome: "refused", retryAfter: "600", endpoint: { kind: "registered" } },
      now,
      random: 1,
    });
    t.same(judged, { status: "pending", dueAt: now + 600_000 });
  });
});
