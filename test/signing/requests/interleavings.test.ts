import fc from "fast-check";
import t from "tap";
import type { Event } from "../../../platform/contracts/event.ts";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { Database } from "../../../platform/database.ts";
import { readTrail } from "../../../signing/requests/audit-rows.ts";
import type { SignatureRequest } from "../../../signing/requests/request.ts";
import { readRequest } from "../../../signing/requests/request-rows.ts";
import { verifyChain } from "../../../signing/seal/audit-chain.ts";
import { byAccount, byLink, freeSignature, type Made, openSigningRoom } from "../../support/signing-room.ts";

type Act = { do: "sign" | "open"; signer: number } | { do: "cancel" | "remind" | "sweep" | "lapse" };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("sign" as const), signer: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("open" as const), signer: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("cancel", "remind", "sweep", "lapse") }) },
);

/** Acts of one round happen at the same time; the rounds follow each other. */
const story = fc.record({
  signers: fc.integer({ min: 1, max: 3 }),
  enforceOrder: fc.boolean(),
  rounds: fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
});

t.test("signing, cancelling, expiring and reminding at the same time", async (t) => {
  const room = await openSigningRoom(t);

  async function perform(made: Made, one: Act): Promise<{ act: Act; ok: boolean; code?: string }> {
    const begin: Record<Act["do"], () => Promise<unknown>> = {
      sign: () =>
        room.completeLink(
          { ...byLink(made.tokens["signer" in one ? one.signer : 0]), body: freeSignature },
          {},
        ),
      open: () => room.openLink(byLink(made.tokens["signer" in one ? one.signer : 0]), {}),
      cancel: () => room.cancelRequest(byAccount(made), {}),
      remind: () => room.remindSigners(byAccount(made), {}),
      sweep: () => room.expireRequests(),
      lapse: async () => {
        room.clock.now = new Date(room.clock.now.getTime() + 8 * 24 * 3600_000);
      },
    };
    return begin[one.do]().then(
      () => ({ act: one, ok: true }),
      (error) => {
        if (!(error instanceof Failure) || error.code === "internal_error") throw error;
        return { act: one, ok: false, code: error.code };
      },
    );
  }

  await t.test("end in one consistent outcome, whatever the interleaving", async (t) => {
    await fc.assert(
      fc.asyncProperty(story, async ({ signers, enforceOrder, rounds }) => {
        const made = await room.make({
          enforce_order: enforceOrder,
          signers: Array.from({ length: signers }, (_, index) => ({
            name: `Signer ${index}`,
            email: `signer${index}@example.com`,
          })),
        });
        const results = [];
        for (const round of rounds) {
          const possible = round.filter((one) => !("signer" in one) || one.signer < signers);
          results.push(...(await Promise.all(possible.map((one) => perform(made, one)))));
        }
        await room.expireRequests();
        const request = await readRequest(room.db, made.id);
        if (request === null) throw new Error("the request is gone");
        const signed = results.filter((result) => result.act.do === "sign" && result.ok).length;
        const cancelled = results.some((result) => result.act.do === "cancel" && result.ok);
        await requireConsistent(room.db, request, { signed, cancelled });
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 60) },
    );
    t.pass("all stories were consistent");
  });

  await t.test("leave the counts of the list as if all had come one by one", async (t) => {
    const counted = await room
      .db("request_counts")
      .select("status")
      .sum({ total: "total" })
      .groupBy("status");
    const real = await room.db("signature_requests").select("status").count({ total: "*" }).groupBy("status");
    const sums = (rows: { status?: string; total?: unknown }[]) =>
      Object.fromEntries(
        rows.map(({ status, total }) => [status, Number(total)]).filter(([, total]) => total !== 0),
      );
    t.same(sums(counted), sums(real));
  });
});

async function requireConsistent(
  db: Database,
  request: SignatureRequest,
  told: { signed: number; cancelled: boolean },
): Promise<void> {
  const trail = await readTrail(db, request.id);
  const events = await eventsOf(db, request.id);
  const mails = await db("mails").where({ request_id: request.id, kind: "completion" });
  const kinds = trail.map(({ kind }) => kind);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  const endings = ["sealed", "cancelled", "expired"].filter((kind) => kinds.includes(kind as never));
  const ending = { completed: "sealed", cancelled: "cancelled", expired: "expired" }[
    request.status as string
  ];
  const problems = {
    chain: !verifyChain(trail, request.trailEnd.hash).ok || trail.length !== request.trailEnd.sequence,
    endings: endings.length > 1 || endings[0] !== ending || (ending !== undefined && count(ending) !== 1),
    signatures: count("signed") !== told.signed,
    signedOnce: request.signers.filter(({ signedAt }) => signedAt !== null).length !== told.signed,
    cancelled: told.cancelled !== (request.status === "cancelled"),
    completed: (told.signed === request.signers.length) !== (request.status === "completed"),
    afterEnd: ending !== undefined && kinds.at(-1) !== ending,
    order: events.some(({ order }, index) => order?.sequence !== index + 1),
    events: events.filter(({ type }) => type === "signature_request.signed").length !== told.signed,
    oneEnd: events.filter(({ type }) => /completed|cancelled|expired/.test(type)).length !== endings.length,
    mails: mails.length !== (request.status === "completed" ? request.signers.length : 0),
  };
  const wrong = Object.entries(problems).filter(([, is]) => is);
  if (wrong.length > 0) throw new Error(`${wrong.map(([name]) => name)}: ${request.status} ${kinds}`);
}

async function eventsOf(db: Database, requestId: string): Promise<Event[]> {
  const rows = await db("outbox").orderBy("id").pluck("payload");
  return rows
    .map((payload: string): Event => JSON.parse(payload))
    .filter(({ order }: Event) => order?.key === requestId);
}
