import t from "tap";
import { appendEntry } from "../../../signing/seal/audit-chain.ts";
import { type CertificateFacts, certificate } from "../../../signing/seal/certificate.ts";
import { makeCertificate } from "../../../signing/seal/make-certificate.ts";
import { ada, auditOf } from "./sealing-room.ts";

const original = "a".repeat(64);
const sealedHash = "b".repeat(64);
const trail = auditOf(original);
const signatureHash = String(trail[2]?.details.signatureHash);

function facts(changes: Partial<CertificateFacts> = {}): CertificateFacts {
  const at = "2026-11-21T10:05:01.000Z";
  const sealing = { kind: "sealed" as const, at, actor: "service", ip: null, userAgent: null };
  return {
    requestId: "sr_01kak3x0c8z5v2q7m4n6p8r9st",
    title: "Agreement",
    completedAt: at,
    original: { sha256: original, size: 1234, pages: 2 },
    sealed: { sha256: sealedHash, size: 5678 },
    padesLevel: "B-B",
    timestampFault: null,
    signers: [{ name: ada.name, email: ada.email, order: 1, signedAt: at, signatureHash }],
    trail: [...trail, appendEntry(trail[2] ?? null, { ...sealing, documentSha256: sealedHash, details: {} })],
    signingCertificate: makeCertificate("Test Seal", new Date()).certificates[0] ?? new Uint8Array(),
    ...changes,
  };
}

t.test("the certificate says who signed what, when and from where", async (t) => {
  const page = certificate(facts());
  const said = [
    "Agreement",
    ada.name,
    ada.email,
    signatureHash,
    original,
    sealedHash,
    "203.0.113.7",
    "Test/1.0",
  ];
  for (const text of said) t.ok(page.includes(text), text);
  for (const entry of trail) t.ok(page.includes(entry.hash), `the hash of entry ${entry.sequence}`);
  t.match(page, /<time datetime="2026-11-21T10:05:01\.000Z">2026-11-21 10:05:01 UTC<\/time>/);
  t.match(page, /PAdES B-B/);
});

t.test("a timestamp that was wished for and is missing is told", async (t) => {
  t.match(certificate(facts({ timestampFault: "it answered 500" })), /None:.*it answered 500/);
});

t.test("nothing of what people wrote is taken for markup", async (t) => {
  const attack = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;
  const evil = auditOf(original).map((entry) => ({ ...entry, actor: attack, userAgent: attack, ip: attack }));
  const page = certificate(
    facts({
      title: attack,
      timestampFault: attack,
      trail: evil,
      signers: [
        { name: attack, email: attack, order: 1, signedAt: "2026-11-21T10:05:01.000Z", signatureHash },
      ],
    }),
  );
  t.notMatch(page, /<script|<img|onerror='/);
  t.ok(page.includes("&quot;&gt;&lt;script&gt;"));
  t.ok(page.includes("&amp;amp;"), "what looks escaped is text like any other");
});

t.test("the page needs nothing but itself", async (t) => {
  const page = certificate(facts());
  t.notMatch(page, /(?:src|href)=|url\(|@import|<script/);
  t.ok(page.startsWith("<!doctype html>"));
  t.match(page, /<html lang="en">/);
});
