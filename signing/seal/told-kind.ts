import type { AuditKind } from "./audit-chain.ts";

const told: Record<AuditKind, string> = {
  created: "Request created",
  invited: "Signer invited",
  opened: "Document opened",
  consented: "Agreed to sign electronically",
  signed: "Signed",
  reminded: "Signer reminded",
  cancelled: "Request cancelled",
  expired: "Request expired",
  sealed: "Document sealed",
  downloaded: "Signed document downloaded",
};

/** What a step is called for readers. */
export function toldKind(kind: AuditKind): string {
  return told[kind];
}
