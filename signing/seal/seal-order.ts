/** What is asked of the sealing threads and what they answer: plain data, since it crosses a thread. */
import type { AuditEntry } from "./audit-chain.ts";
import type { PageSize } from "./place-field.ts";
import type { PlacedValue } from "./placed-value.ts";

/** PAdES baseline level (ETSI EN 319 142-1): B-T carries a trusted timestamp. */
export type PadesLevel = "B-B" | "B-T";

export type TimestampPolicy = {
  /** An RFC 3161 authority over HTTP(S). */
  url: string;
  /** `required`: no seal without it (`unavailable`, to be tried again). `best_effort`: then B-B, and said so. */
  mode: "required" | "best_effort";
};

export type SealOrder = {
  requestId: string;
  title: string;
  /** The uploaded bytes. Never changed, never the output of an earlier seal. */
  sourcePath: string;
  /** SHA-256 in hex that the source must have. */
  documentSha256: string;
  /** Written anew; whatever an interrupted attempt left there is replaced. */
  outputPath: string;
  values: readonly PlacedValue[];
  /** The chain up to the last `signed` entry: embedded, its head named in the signature. */
  audit: readonly AuditEntry[];
  /** ISO 8601, UTC: the time of the last signature, so that a retry gives the same content. */
  sealedAt: string;
  appendAuditPage: boolean;
};

export type SealedPdf = {
  /** Of the sealed file, lower-case hex. */
  sha256: string;
  size: number;
  padesLevel: PadesLevel;
  /** Why a `best_effort` timestamp is missing. */
  timestampFault: string | null;
  /**
   * `original`: the uploaded bytes stand unchanged at the beginning of the sealed file, which only adds to them.
   * `repaired`: they were too damaged for that and a repaired copy was sealed.
   */
  base: "original" | "repaired";
};

/** What an upload turned out to be. */
export type InspectedPdf = { pages: readonly PageSize[] };
