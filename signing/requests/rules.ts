import { Failure } from "../../platform/contracts/failures.ts";
import {
  hasSigned,
  isLive,
  isSealing,
  isTurnOf,
  type SignatureRequest,
  type Signer,
  signersInTurn,
  statusAt,
} from "./request.ts";

/** A signer is reminded at most this often. */
export const remindEveryMs = 3600_000;

/** Why a signer cannot sign, in one word for the page; null: may sign now. */
export type WhyNot = "signed" | "not_your_turn" | "cancelled" | "expired" | "completed";

export function whyNotSign(request: SignatureRequest, signer: Signer, now: Date): WhyNot | null {
  const status = statusAt(request, now);
  if (status === "completed" || status === "cancelled" || status === "expired") return status;
  if (hasSigned(signer)) return "signed";
  return isTurnOf(request, signer) ? null : "not_your_turn";
}

const whyNotMessages: Record<WhyNot, string> = {
  signed: "This signer has already signed.",
  not_your_turn: "Others sign before this signer. The invitation comes when it is this signer's turn.",
  cancelled: "The signature request was cancelled.",
  expired: "The signature request has expired.",
  completed: "The signature request is completed.",
};

/** @throws Failure `invalid_state` unless the signer may sign now */
export function requireMaySign(request: SignatureRequest, signer: Signer, now: Date): void {
  const why = whyNotSign(request, signer, now);
  if (why !== null) throw new Failure("invalid_state", whyNotMessages[why]);
}

/**
 * Whether the signer may see the document: those who may sign, and those who have signed until it is over.
 * @throws Failure `invalid_state`
 */
export function requireMayRead(request: SignatureRequest, signer: Signer, now: Date): void {
  const why = whyNotSign(request, signer, now);
  if (why !== null && why !== "signed" && why !== "completed")
    throw new Failure("invalid_state", whyNotMessages[why]);
}

/**
 * Whether cancelling changes anything: not a second time.
 * @throws Failure `invalid_state` when it is too late
 */
export function mayCancel(request: SignatureRequest, now: Date): boolean {
  if (request.status === "cancelled") return false;
  if (isSealing(request))
    throw new Failure("invalid_state", "All signers have signed; the request is being completed.");
  if (isLive(request, now)) return true;
  throw new Failure(
    "invalid_state",
    `The signature request is ${statusAt(request, now)}; it cannot be cancelled.`,
  );
}

/**
 * Those to remind now: unsigned, in turn, and not reminded within the hour.
 * @throws Failure `invalid_state` unless signatures are awaited; `rate_limited` when all were reminded just now
 */
export function signersToRemind(request: SignatureRequest, now: Date): Signer[] {
  if (!isLive(request, now)) {
    const state = isSealing(request) ? "being completed" : statusAt(request, now);
    throw new Failure("invalid_state", `The signature request is ${state}; there is no one to remind.`);
  }
  const waiting = signersInTurn(request);
  const due = waiting.filter((signer) => remindableAt(signer) <= now);
  if (due.length > 0) return due;
  const next = new Date(Math.min(...waiting.map((signer) => remindableAt(signer).getTime())));
  throw new Failure(
    "rate_limited",
    `Every signer was reminded within the last hour. The next reminder is possible at ${next.toISOString()}.`,
    { retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000) },
  );
}

function remindableAt({ remindedAt }: Signer): Date {
  return new Date(remindedAt === null ? 0 : remindedAt.getTime() + remindEveryMs);
}

/** Reached its time without having all signatures: the sweep's question, asked again under the lock. */
export function mayExpire(request: SignatureRequest, now: Date): boolean {
  return request.status !== "expired" && statusAt(request, now) === "expired";
}

/** A sealed PDF exists. @throws Failure `invalid_state` */
export function requireCompleted(request: SignatureRequest, now: Date, what: string): void {
  if (request.status === "completed") return;
  const state = isSealing(request) ? "being completed; try again in a moment" : statusAt(request, now);
  throw new Failure("invalid_state", `${what} exists once the request is completed; it is ${state}.`);
}
