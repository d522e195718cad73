/** The threads that read, draw and seal PDFs, so that none of it holds up the service's own loop. */

import type { PlacedValue } from "./placed-value.ts";
import type { InspectedPdf, SealedPdf, SealOrder, TimestampPolicy } from "./seal-order.ts";
import type { SigningKey } from "./signing-key.ts";

export type SealPoolOptions = {
  key: SigningKey;
  /** Null: no timestamps, B-B. */
  timestamp: TimestampPolicy | null;
  threads: number;
};

export type SealPool = {
  /**
   * Reads an upload and tells its pages' sizes as a reader shows them.
   * @throws Failure `encrypted_pdf`, `signed_pdf`, `unsupported_pdf` (dynamic XFA), `invalid_pdf`, `too_complex`
   */
  inspectUpload(path: string): Promise<InspectedPdf>;
  /**
   * Whether every value can be drawn in its box as it will be at sealing: fonts, fit, drawing, picture.
   * @throws Failure `validation_failed` with a detail for each value that cannot
   */
  checkValues(values: readonly PlacedValue[]): Promise<void>;
  /**
   * Draws the values, embeds the audit chain and signs, into `order.outputPath`.
   * @throws Failure `unavailable` when a required timestamp cannot be had; `invalid_pdf` for a source beyond repair
   */
  seal(order: SealOrder): Promise<SealedPdf>;
  close(): Promise<void>;
};
