import { createHash } from "node:crypto";
import fc from "fast-check";
import t from "tap";
import {
  type AuditEntry,
  type AuditFacts,
  appendEntry,
  auditKinds,
  chainStart,
  verifyChain,
} from "../../../signing/seal/audit-chain.ts";
import { canonicalJson, type JsonValue } from "../../../signing/seal/canonical-json.ts";

const facts: fc.Arbitrary<AuditFacts> = fc.record({
  kind: fc.constantFrom(...auditKinds),
  at: fc.constant("2026-11-21T10:00:00.000Z"),
  actor: fc.string({ unit: "grapheme" }),
  ip: fc.option(fc.ipV4()),
  userAgent: fc.option(fc.string()),
  documentSha256: fc.option(fc.constant("a".repeat(64))),
  details: fc.constant({}),
});

function chainOf(list: readonly AuditFacts[]): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (const own of list) entries.push(appendEntry(entries.at(-1) ?? null, own));
  return entries;
}

const chain = fc.array(facts, { minLength: 2, maxLength: 8 }).map(chainOf);
const chainAndPlace = chain.chain((entries) => fc.tuple(fc.constant(entries), fc.nat(entries.length - 1)));

t.test("the audit chain", async (t) => {
  t.test("is whole as it was written, also after a trip through JSON", async () => {
    fc.assert(
      fc.property(chain, (entries) => {
        const verdict = verifyChain(JSON.parse(JSON.stringify(entries)), entries.at(-1)?.hash);
        return verdict.ok && verdict.head === entries.at(-1)?.hash;
      }),
    );
  });

  t.test("names the entry whose content was changed", async () => {
    const property = fc.property(chainAndPlace, ([entries, place]) => {
      const forged = entries.map((entry, index) =>
        index === place ? { ...entry, actor: `${entry.actor}!` } : entry,
      );
      const verdict = verifyChain(forged);
      return !verdict.ok && verdict.fault === "changed" && verdict.sequence === place + 1;
    });
    fc.assert(property);
  });

  t.test("names the entry that was rewritten together with its own hash", async () => {
    const property = fc.property(chainAndPlace, ([entries, place]) => {
      const forged = [...entries];
      const previous = entries[place - 1] ?? null;
      const entry = entries[place];
      if (entry === undefined) return false;
      forged[place] = appendEntry(previous, { ...entry, actor: `${entry.actor}!` });
      const verdict = verifyChain(forged, entries.at(-1)?.hash);
      const isLast = place === entries.length - 1;
      return !verdict.ok && (isLast || verdict.sequence === place + 1);
    });
    fc.assert(property);
  });

  t.test("names the entry that is missing, at the end too when the head is known", async () => {
    const property = fc.property(chainAndPlace, ([entries, place]) => {
      const verdict = verifyChain(entries.toSpliced(place, 1), entries.at(-1)?.hash);
      return !verdict.ok && verdict.fault === "missing" && verdict.sequence === place + 1;
    });
    fc.assert(property);
  });

  t.test("notices two entries that changed places", async () => {
    const property = fc.property(chainAndPlace, ([entries, place]) => {
      const first = Math.min(place, entries.length - 2);
      const [one, other] = entries.slice(first, first + 2);
      if (one === undefined || other === undefined) return false;
      const verdict = verifyChain(entries.toSpliced(first, 2, other, one));
      return !verdict.ok && verdict.sequence === first + 1;
    });
    fc.assert(property);
  });

  t.test("can be recomputed by anyone: SHA-256 of the entry's canonical JSON without its hash", async (t) => {
    const entry = appendEntry(null, {
      kind: "created",
      at: "2026-11-21T10:00:00.000Z",
      actor: "Ada",
      ip: null,
      userAgent: null,
      documentSha256: null,
      details: { b: 1, a: "é" },
    });
    const text = `{"actor":"Ada","at":"2026-11-21T10:00:00.000Z","details":{"a":"é","b":1},"documentSha256":null,"ip":null,"kind":"created","previousHash":"${chainStart}","sequence":1,"userAgent":null}`;
    t.equal(entry.hash, createHash("sha256").update(text).digest("hex"));
  });
});

t.test("canonical JSON", async (t) => {
  const table: [JsonValue, string][] = [
    [{ b: [1, { z: null, a: true }], a: "x" }, '{"a":"x","b":[1,{"a":true,"z":null}]}'],
    // RFC 8785 §3.2.2: numbers as ECMAScript has them, keys by UTF-16 code units.
    [[1e30, 4.5, 2e-3, 1e-27, -0], "[1e+30,4.5,0.002,1e-27,0]"],
    [
      { "€": 1, "\r": 2, "1": 3, "😀": 4, ö: 5, "\ufb33": 6 },
      '{"\\r":2,"1":3,"ö":5,"€":1,"😀":4,"\ufb33":6}',
    ],
    ['\u0007\b"\\\u20ac', '"\\u0007\\b\\"\\\\€"'],
  ];
  for (const [value, text] of table) t.equal(canonicalJson(value), text);
  t.throws(() => canonicalJson(Number.NaN), "has no NaN");
  t.throws(() => canonicalJson({ a: "\ud800" }), "has no lone surrogates");
});
