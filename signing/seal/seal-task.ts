/** What crosses between the service and a sealing thread. Errors do not, so what happened is told as data. */
import type { FailureData } from "../../platform/contracts/failures.ts";
import type { PlacedValue } from "./placed-value.ts";
import type { InspectedPdf, SealedPdf, SealOrder, TimestampPolicy } from "./seal-order.ts";
import type { SigningKey } from "./signing-key.ts";
import type { SealReport } from "./verify-seal.ts";

export type SealTask =
  | { kind: "inspect"; path: string }
  | { kind: "check"; values: readonly PlacedValue[] }
  | { kind: "seal"; order: SealOrder }
  | { kind: "verify"; path: string };

export type SealResults = { inspect: InspectedPdf; check: null; seal: SealedPdf; verify: SealReport };

export type SealOutcome<Result> =
  | { ok: true; result: Result }
  /** `trace` is for our log alone. */
  | { ok: false; failure: FailureData; trace: string };

/** Given to each thread once. */
export type SealThreadSettings = { key: SigningKey; timestamp: TimestampPolicy | null };
