import { z } from "zod";
import { type FailureCode, failures } from "../failures.ts";

/** What a key may be allowed to do. A key made without naming any has all. */
export const permissions = [
  "signature:create",
  "signature:read",
  "signature:cancel",
  "signature:remind",
  "pdf:process",
  "webhook:manage",
] as const;
export const permission = z.enum(permissions);
export type Permission = z.infer<typeof permission>;

export const plans = ["free", "premium", "business"] as const;
export const plan = z.enum(plans);
export type Plan = z.infer<typeof plan>;

/** ISO 8601 in UTC, to the millisecond. */
export const timestamp = z.iso.datetime().meta({ example: "2026-11-21T02:19:00.123Z" });

/** The page of a list, as query parameters. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
});

export const pagination = z.object({
  page: z.number().int(),
  per_page: z.number().int(),
  total: z.number().int(),
  total_pages: z.number().int(),
});

const codes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

export const failureBody = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
  request_id: z.string(),
});
