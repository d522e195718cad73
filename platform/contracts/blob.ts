import { z } from "zod";

/**
 * Who a blob belongs to. Blobs are never shared between owners, so removing one owner's never touches another's.
 * `jobs/<job id>`: inputs and results, gone 24 h after the job's end. `requests/<signature request id>`: kept.
 * `events/<event id>`: frozen webhook bodies, gone with the log of their deliveries.
 * `uploads/<request id>`: files of calls that make no lasting thing, gone when the call ends.
 */
export const blobOwner = z.object({
  kind: z.enum(["jobs", "requests", "events", "uploads"]),
  id: z.string().regex(/^[a-z]+_[0-9a-z]{26}$/),
});
export type BlobOwner = z.infer<typeof blobOwner>;

/** Where bytes lie: `key` is `<kind>/<id>/<sha256 in hex>`, `size` counts bytes. */
export const blobRef = z.object({
  key: z.string().regex(/^(jobs|requests|events|uploads)\/[a-z]+_[0-9a-z]{26}\/[0-9a-f]{64}$/),
  size: z.number().int().nonnegative(),
});
export type BlobRef = z.infer<typeof blobRef>;

/** SHA-256 of the blob's bytes, lower-case hex: the last part of its key. */
export function sha256Of(ref: BlobRef): string {
  return ref.key.slice(ref.key.lastIndexOf("/") + 1);
}
