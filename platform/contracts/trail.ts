import { z } from "zod";

/** What travels in message headers beside every message, so that one call can be followed through all services. */
export const trail = z.object({
  requestId: z.string().optional(),
  /** W3C Trace Context, version 00. */
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional(),
});
export type Trail = z.infer<typeof trail>;
