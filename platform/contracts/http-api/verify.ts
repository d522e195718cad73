import { z } from "zod";
import { timestamp } from "./envelope.ts";
import { oneSource, pdfInput } from "./file-input.ts";

export const verifyBody = oneSource("pdf", z.object(pdfInput));

/** What checking a sealed PDF found, from the file alone; `sealed_here` says whether this service made it. */
export const sealReport = z.object({
  valid: z.boolean().describe("All checks that could be made passed."),
  checks: z.array(
    z.object({
      name: z.enum(["seal", "range", "permissions", "timestamp", "chain", "signatures", "original"]),
      passed: z.boolean().nullable().describe("null: cannot be checked from this file; `message` says why."),
      message: z.string(),
    }),
  ),
  sha256: z.string(),
  signature_request_id: z.string().nullable(),
  title: z.string().nullable(),
  original_sha256: z.string().nullable(),
  certificate: z
    .object({ subject: z.string(), sha256: z.string(), valid_from: z.string(), valid_to: z.string() })
    .nullable(),
  sealed_at: timestamp.nullable(),
  timestamped_by: z.string().nullable(),
  changed_entry: z.number().int().nullable().describe("The first audit entry that is not as it was written."),
  sealed_here: z.boolean(),
});
export type SealReportData = z.infer<typeof sealReport>;
