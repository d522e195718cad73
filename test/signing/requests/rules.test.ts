import t from "tap";
import type { SignatureRequest } from "../../../signing/requests/request.ts";
import { statusAt } from "../../../signing/requests/request.ts";
import {
  mayCancel,
  mayExpire,
  requireCompleted,
  requireMayRead,
  signersToRemind,
  whyNotSign,
} from "../../../signing/requests/rules.ts";
import { hours, makeRequest, makeSigner, someTime } from "../../support/make-request.ts";

const week = 7 * 24;
const signed = { signedAt: hours(1), signatureHash: "b".repeat(64) };
const requests: Record<string, SignatureRequest> = {
  pending: makeRequest(),
  opened: makeRequest({ status: "in_progress" }),
  sealing: makeRequest({ status: "in_progress", signers: [makeSigner(signed)], sealDueAt: hours(1) }),
  completed: makeRequest({ status: "completed", signers: [makeSigner(signed)] }),
  cancelled: makeRequest({ status: "cancelled", cancelledAt: hours(1) }),
  expired: makeRequest({ status: "expired" }),
};

/** A request in a state, at an hour: what may be done then. `null`: changes nothing and is no error. */
const table: [
  state: string,
  hour: number,
  status: string,
  cancel: boolean | null | string,
  expire: boolean,
][] = [
  ["pending", 1, "pending", true, false],
  ["pending", week - 0.001, "pending", true, false],
  ["pending", week, "expired", "invalid_state", true],
  ["opened", 1, "in_progress", true, false],
  ["opened", week, "expired", "invalid_state", true],
  ["sealing", 1, "in_progress", "invalid_state", false],
  ["sealing", week, "in_progress", "invalid_state", false],
  ["completed", 1, "completed", "invalid_state", false],
  ["completed", week, "completed", "invalid_state", false],
  ["cancelled", 1, "cancelled", false, false],
  ["cancelled", week, "cancelled", false, false],
  ["expired", week, "expired", "invalid_state", false],
];

t.test("a signature request", async (t) => {
  for (const [state, hour, status, cancel, expire] of table) {
    const request = requests[state] as SignatureRequest;
    t.test(`that is ${state}, after ${hour} hours`, async (t) => {
      t.equal(statusAt(request, hours(hour)), status, `is ${status} to every reader`);
      if (typeof cancel === "string") t.throws(() => mayCancel(request, hours(hour)), { code: cancel });
      else t.equal(mayCancel(request, hours(hour)), cancel);
      t.equal(mayExpire(request, hours(hour)), expire);
    });
  }

  t.test("gives out its seal only once there is one", async (t) => {
    for (const [state, request] of Object.entries(requests)) {
      const ask = () => requireCompleted(request, hours(1), "The signed PDF");
      if (state === "completed") t.doesNotThrow(ask);
      else t.throws(ask, { code: "invalid_state" });
    }
  });
});

t.test("signing", async (t) => {
  const [first, second, third] = [
    makeSigner({ position: 0, order: 1 }),
    makeSigner({ position: 1, order: 2 }),
    makeSigner({ position: 2, order: 2 }),
  ];
  const inOrder = makeRequest({ enforceOrder: true, signers: [first, second, third] });

  t.test("in any order, unless order is enforced", async (t) => {
    t.equal(whyNotSign({ ...inOrder, enforceOrder: false }, third, hours(1)), null);
    t.equal(whyNotSign(inOrder, first, hours(1)), null);
    t.equal(whyNotSign(inOrder, second, hours(1)), "not_your_turn");
    t.throws(() => requireMayRead(inOrder, second, hours(1)), { code: "invalid_state" });
  });

  t.test("of equal order goes in parallel", async (t) => {
    const begun = { ...inOrder, signers: [{ ...first, ...signed }, second, third] };
    t.equal(whyNotSign(begun, second, hours(2)), null);
    t.equal(whyNotSign(begun, third, hours(2)), null);
    t.equal(whyNotSign(begun, { ...first, ...signed }, hours(2)), "signed");
  });

  t.test("ends with the request", async (t) => {
    t.equal(whyNotSign(requests.cancelled as SignatureRequest, first, hours(1)), "cancelled");
    t.equal(whyNotSign(inOrder, first, hours(week)), "expired");
    t.equal(whyNotSign(requests.completed as SignatureRequest, first, hours(1)), "completed");
  });
});

t.test("reminding", async (t) => {
  const early = makeSigner({ position: 0, email: "early@example.com", remindedAt: someTime });
  const never = makeSigner({ position: 1, email: "never@example.com" });
  const done = makeSigner({ position: 2, email: "done@example.com", ...signed });
  const addresses = (request: SignatureRequest, hour: number) =>
    signersToRemind(request, hours(hour)).map(({ email }) => email);

  t.test("reaches those who have not signed, at most once an hour each", async (t) => {
    const request = makeRequest({ signers: [early, never, done] });
    t.same(addresses(request, 0.5), ["never@example.com"]);
    t.same(addresses(request, 1), ["early@example.com", "never@example.com"]);
  });

  t.test("says when it is possible again", async (t) => {
    t.throws(() => addresses(makeRequest({ signers: [early] }), 0.75), {
      code: "rate_limited",
      retryAfterSeconds: 900,
      message: /2026-11-21T09:00:00.000Z/,
    });
  });

  t.test("waits for a signer's turn", async (t) => {
    t.same(addresses(makeRequest({ enforceOrder: true, signers: [early, never] }), 2), ["early@example.com"]);
  });

  t.test("is over when the request is", async (t) => {
    for (const state of ["sealing", "completed", "cancelled", "expired"]) {
      t.throws(() => addresses(requests[state] as SignatureRequest, 2), { code: "invalid_state" });
    }
  });
});
