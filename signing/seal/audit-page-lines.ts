/** The audit trail in words, for the page that may be appended to the document. */
import type { AuditEntry } from "./audit-chain.ts";
import type { SealOrder } from "./seal-order.ts";
import { toldKind } from "./told-kind.ts";

/** `size` and `before` (space above) in points. */
export type TextLine = { text: string; size: number; before: number; indent: number };

export function auditPageLines({ title, requestId, documentSha256, audit }: SealOrder): TextLine[] {
  return [
    { text: "Audit trail", size: 18, before: 0, indent: 0 },
    { text: title, size: 11, before: 8, indent: 0 },
    { text: `Request ${requestId}. All times are UTC.`, size: 8, before: 4, indent: 0 },
    { text: `Original document: SHA-256 ${documentSha256}`, size: 8, before: 1, indent: 0 },
    ...audit.flatMap(entryLines),
  ];
}

function entryLines({ sequence, kind, at, actor, ip, userAgent, details, hash }: AuditEntry): TextLine[] {
  const line = (text: string): TextLine => ({ text, size: 8, before: 1, indent: 14 });
  const when = `${at.slice(0, 10)} ${at.slice(11, 19)}`;
  const whom = typeof details.email === "string" && kind !== "signed" ? `, to ${details.email}` : "";
  const from = [ip === null ? [] : [`from ${ip}`], userAgent === null ? [] : [userAgent]].flat();
  return [
    { text: `${sequence}. ${toldKind(kind)}  ${when}`, size: 9.5, before: 9, indent: 0 },
    line(`By ${actor}${whom}`),
    ...(from.length > 0 ? [line(from.join(", "))] : []),
    ...(typeof details.signatureHash === "string" ? [line(`Signature hash ${details.signatureHash}`)] : []),
    line(`Entry hash ${hash}`),
  ];
}
