import type { AuditEntry } from "../audit-chain.ts";
import { toldKind } from "../told-kind.ts";
import { html, join, type Markup } from "./markup.ts";
import { time } from "./time.ts";

/** Every step with its time, whose doing it was, from where, and which bytes it was about. */
export function trailSection(trail: readonly AuditEntry[]): Markup {
  return html`<section aria-labelledby="trail">
<h2 id="trail">Audit trail</h2>
<p class="note">All times are UTC. Each entry is hashed together with the one before it.</p>
<ol class="trail">
${join(trail.map(entryItem))}
</ol>
</section>`;
}

function entryItem(entry: AuditEntry): Markup {
  const document =
    entry.documentSha256 === null ? [] : [fact("Document", html`<code>${entry.documentSha256}</code>`)];
  const ip = entry.ip === null ? [] : [fact("IP address", html`${entry.ip}`)];
  const browser =
    entry.userAgent === null ? [] : [fact("Browser", html`<span class="fine">${entry.userAgent}</span>`)];
  const whom = concerned(entry);
  return html`<li value="${entry.sequence}" class="entry ${entry.kind}">
<p class="what"><strong>${toldKind(entry.kind)}</strong> ${time(entry.at)}</p>
<dl>
${join([fact("By", html`<bdi>${entry.actor}</bdi>`), ...whom, ...ip, ...browser, ...document, fact("Entry hash", html`<code>${entry.hash}</code>`)])}
</dl>
</li>`;
}

function fact(name: string, value: Markup): Markup {
  return html`<dt>${name}</dt><dd>${value}</dd>`;
}

/** Who was invited or reminded: the service did it, to someone. */
function concerned({ kind, details }: AuditEntry): Markup[] {
  const { name, email } = details;
  if ((kind !== "invited" && kind !== "reminded") || typeof email !== "string") return [];
  return [
    fact("Signer", html`<bdi>${typeof name === "string" ? name : ""}</bdi> &lt;<bdi>${email}</bdi>&gt;`),
  ];
}
