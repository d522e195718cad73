/** What a decision makes of a request: built here step by step, written whole in one transaction. */
import { type AuditEntry, type AuditKind, appendEntry } from "../seal/audit-chain.ts";
import type { JsonObject } from "../seal/canonical-json.ts";
import type { EventDraft, SignatureEventType } from "./event-body.ts";
import { eventData } from "./event-body.ts";
import type { Field, SignatureRequest, Signer } from "./request.ts";

/** Whose doing it was, as the audit trail says it. */
export type Witness = { actor: string; ip: string | null; userAgent: string | null };

/** What the service does by itself. */
export const theService: Witness = { actor: "service", ip: null, userAgent: null };

export type MailKind = "invitation" | "reminder" | "completion";

export type Change = {
  before: SignatureRequest;
  after: SignatureRequest;
  entries: readonly AuditEntry[];
  events: readonly EventDraft[];
  mails: readonly { kind: MailKind; signerId: string }[];
  /** Fields that got their value, and those that free placement made. */
  fields: readonly Field[];
};

export function startChange(request: SignatureRequest): Change {
  return { before: request, after: request, entries: [], events: [], mails: [], fields: [] };
}

export function withRequest(change: Change, columns: Partial<SignatureRequest>): Change {
  return { ...change, after: { ...change.after, ...columns } };
}

export function withSigner(change: Change, signerId: string, columns: Partial<Signer>): Change {
  const signers = change.after.signers.map((signer) =>
    signer.id === signerId ? { ...signer, ...columns } : signer,
  );
  return withRequest(change, { signers });
}

export function withMail(change: Change, kind: MailKind, signerId: string): Change {
  return { ...change, mails: [...change.mails, { kind, signerId }] };
}

type Step = {
  kind: AuditKind;
  at: Date;
  witness: Witness;
  documentSha256?: string | null;
  details?: JsonObject;
};

/** Adds an audit entry, chained to the last one. */
export function withEntry(
  change: Change,
  { kind, at, witness, documentSha256 = null, details = {} }: Step,
): Change {
  const end = change.after.trailEnd;
  const entry = appendEntry(end.sequence === 0 ? null : end, {
    kind,
    at: at.toISOString(),
    ...witness,
    documentSha256,
    details,
  });
  const trailEnd = { sequence: entry.sequence, hash: entry.hash };
  return { ...withRequest(change, { trailEnd }), entries: [...change.entries, entry] };
}

/** Adds an event that tells the request as it is after the steps so far. */
export function withEvent(change: Change, type: SignatureEventType, at: Date, about: JsonObject): Change {
  const sequence = change.after.eventCount + 1;
  const event = { type, at, sequence, data: eventData(change.after, about) };
  return { ...withRequest(change, { eventCount: sequence }), events: [...change.events, event] };
}
