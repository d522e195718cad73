/** The certificate of a completed request: one HTML page that needs nothing else, for people first. */
import { createHash, X509Certificate } from "node:crypto";
import type { AuditEntry } from "./audit-chain.ts";
import { html, join, type Markup, raw } from "./certificate/markup.ts";
import { stylesheet } from "./certificate/stylesheet.ts";
import { time } from "./certificate/time.ts";
import { trailSection } from "./certificate/trail-section.ts";
import type { PadesLevel } from "./seal-order.ts";

export type CertificateFacts = {
  requestId: string;
  title: string;
  /** ISO 8601, UTC. */
  completedAt: string;
  original: { sha256: string; size: number; pages: number };
  sealed: { sha256: string; size: number };
  padesLevel: PadesLevel;
  /** Why a timestamp that was wished for is missing. */
  timestampFault: string | null;
  signers: readonly CertifiedSigner[];
  /** The whole audit trail, the `sealed` entry and what came after it included. */
  trail: readonly AuditEntry[];
  /** DER of the service's own certificate. */
  signingCertificate: Uint8Array;
};

export type CertifiedSigner = {
  name: string;
  email: string;
  order: number;
  signedAt: string;
  signatureHash: string;
};

/** The whole document; every text in it is escaped. */
export function certificate(facts: CertificateFacts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Signature certificate: ${facts.title}</title>
<style>${raw(stylesheet)}</style>
</head>
<body>
<main>
${headerSection(facts)}
${signersSection(facts)}
${documentSection(facts)}
${trailSection(facts.trail)}
${checkSection(facts)}
</main>
</body>
</html>
`;
  return page.markup;
}

function headerSection({ title, completedAt, requestId, signers }: CertificateFacts): Markup {
  const people = signers.length === 1 ? "one person" : `${signers.length} people`;
  return html`<header>
<p class="kind">Signature certificate</p>
<h1><bdi>${title}</bdi></h1>
<p class="lead">Signed by ${people} and sealed on ${time(completedAt)}.</p>
<p class="id">Request <code>${requestId}</code></p>
</header>`;
}

function signersSection({ signers, trail }: CertificateFacts): Markup {
  const cards = signers.map((signer) => {
    const signed = trail.find(
      ({ kind, details }) => kind === "signed" && details.signatureHash === signer.signatureHash,
    );
    return html`<li class="signer">
<p class="name"><bdi>${signer.name}</bdi></p>
<p class="email"><bdi>${signer.email}</bdi></p>
<dl>
<dt>Signed</dt><dd>${time(signer.signedAt)}</dd>
<dt>IP address</dt><dd>${signed?.ip ?? "not known"}</dd>
<dt>Browser</dt><dd class="fine">${signed?.userAgent ?? "not known"}</dd>
<dt>Signature hash</dt><dd><code>${signer.signatureHash}</code></dd>
</dl>
</li>`;
  });
  return html`<section aria-labelledby="signers">
<h2 id="signers">Signers</h2>
<ol class="signers">
${join(cards)}
</ol>
</section>`;
}

const levels: Record<PadesLevel, string> = {
  "B-B": "PAdES B-B: signed by this service’s certificate",
  "B-T": "PAdES B-T: signed by this service’s certificate, its time vouched for by a timestamp authority",
};

function documentSection(facts: CertificateFacts): Markup {
  const { original, sealed } = facts;
  const fault =
    facts.timestampFault === null
      ? html``
      : html`
<dt>Timestamp</dt><dd>None: the timestamp authority could not be used (${facts.timestampFault}).</dd>`;
  return html`<section aria-labelledby="document">
<h2 id="document">Document</h2>
<dl class="facts">
<dt>Original</dt><dd>${original.pages} ${original.pages === 1 ? "page" : "pages"}, ${bytes(original.size)}<br>SHA-256 <code>${original.sha256}</code></dd>
<dt>Signed PDF</dt><dd>${bytes(sealed.size)}<br>SHA-256 <code>${sealed.sha256}</code></dd>
<dt>Seal</dt><dd>${levels[facts.padesLevel]}; no change is permitted after it (DocMDP level 1).</dd>${fault}
<dt>Certificate</dt><dd>${subjectOf(facts.signingCertificate)}<br>SHA-256 <code>${sha256(facts.signingCertificate)}</code></dd>
</dl>
</section>`;
}

function checkSection({ trail, sealed, original }: CertificateFacts): Markup {
  const head = trail.findLast(({ kind }) => kind === "signed")?.hash ?? "";
  return html`<section aria-labelledby="check">
<h2 id="check">How to check this</h2>
<ol class="steps">
<li>Open the signed PDF in a reader that knows signatures. It must show one valid signature, and no change since. The certificate is this service’s own, so compare its SHA-256 with the one above.</li>
<li>Compute the file’s hash, for example with <code>sha256sum signed.pdf</code>. It must be <code>${sealed.sha256}</code>.</li>
<li>The first ${original.size} bytes of the signed PDF are the original, unless it had to be repaired: <code>head -c ${original.size} signed.pdf | sha256sum</code> gives <code>${original.sha256}</code>.</li>
<li>The signed PDF carries the audit trail as the attachment <code>audit.json</code>, up to the last signature. Each entry’s hash is the SHA-256 of the entry without its <code>hash</code>, written as canonical JSON (RFC 8785), and contains the hash before it. The last one stands in the signature’s reason: <code>${head}</code>.</li>
<li>A signature hash is the SHA-256 of the canonical JSON of <code>documentSha256</code>, <code>previousHash</code>, <code>signedAt</code>, <code>signer</code> and <code>values</code>, all of which stand in the signer’s <code>signed</code> entry.</li>
<li>All of this at once, without any network: <code>npm run verify -- signed.pdf</code> in the service’s source.</li>
</ol>
</section>`;
}

function bytes(size: number): string {
  return `${size.toLocaleString("en")} bytes`;
}

function subjectOf(certificate: Uint8Array): string {
  return new X509Certificate(certificate).subject.replaceAll("\n", ", ");
}

function sha256(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
