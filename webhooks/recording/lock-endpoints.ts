import { createHash } from "node:crypto";
import type { Event } from "../../platform/contracts/event.ts";
import type { Transaction } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";
import { type EndpointRow, eventsOf } from "../endpoints/endpoint-rows.ts";
import { neverUsed } from "../endpoints/never-used.ts";
import type { Subscription } from "./match.ts";

export type LockedEndpoint = Pick<EndpointRow, "id" | "status" | "disabled_reason" | "last_sequence"> &
  Subscription;

export type LockedEndpoints = {
  ofAccount: (accountId: string) => readonly LockedEndpoint[];
  /** The endpoint of the address that the event's call named; null where it named none. */
  ofCall: (event: Event) => LockedEndpoint | null;
};

/**
 * Locks every endpoint that may get one of these events, in the order of their ids, so that two processes wait for
 * each other instead of in a circle. While they are locked no other delivery gets a number.
 */
export async function lockEndpoints(
  trx: Transaction,
  events: readonly Event[],
  now: Date,
): Promise<LockedEndpoints> {
  await rememberCallAddresses(trx, events, now);
  const accountIds = [...new Set(events.map(({ accountId }) => accountId))];
  const callKeys = events.flatMap((event) => callKeyOf(event) ?? []);
  const rows: EndpointRow[] = await trx<EndpointRow>("endpoints")
    .where((either) =>
      either
        .where((of) => of.whereIn("account_id", accountIds).andWhere("kind", "registered"))
        .orWhereIn("call_key", callKeys),
    )
    .orderBy("id")
    .forUpdate();
  const byCall = new Map<string, LockedEndpoint>();
  const byAccount = new Map<string, LockedEndpoint[]>(accountIds.map((id) => [id, []]));
  for (const row of rows) {
    const endpoint = { ...row, events: eventsOf(row) };
    if (row.call_key === null) byAccount.get(row.account_id)?.push(endpoint);
    else byCall.set(row.call_key, endpoint);
  }
  return {
    ofAccount: (accountId) => byAccount.get(accountId) ?? [],
    ofCall: (event) => byCall.get(callKeyOf(event) ?? "") ?? null,
  };
}

/** One endpoint an account and URL, so that a call's address too has its lane and its sequence. */
async function rememberCallAddresses(trx: Transaction, events: readonly Event[], now: Date): Promise<void> {
  const rows = new Map<string, EndpointRow>();
  for (const event of events) {
    const callKey = callKeyOf(event);
    if (callKey === null || event.callAddress === null) continue;
    rows.set(callKey, {
      ...neverUsed,
      id: newId("webhook"),
      account_id: event.accountId,
      kind: "call",
      call_key: callKey,
      url: event.callAddress.url,
      events: "[]",
      tag: null,
      notify_email: null,
      sealed_secret: null,
      created_at: now,
    });
  }
  if (rows.size === 0) return;
  const known = await trx("endpoints")
    .whereIn("call_key", [...rows.keys()])
    .select("call_key");
  for (const { call_key } of known) rows.delete(call_key);
  if (rows.size > 0) await trx("endpoints").insert([...rows.values()]);
}

function callKeyOf({ accountId, callAddress }: Event): string | null {
  if (callAddress === null) return null;
  return createHash("sha256").update(`${accountId} ${callAddress.url}`).digest("hex");
}
