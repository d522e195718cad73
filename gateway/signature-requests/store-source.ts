import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobOwner, BlobRef } from "../../platform/contracts/blob.ts";
import { type FileSource, maxFileBytes } from "../../platform/contracts/http-api/file-input.ts";
import type { Download } from "../../platform/download.ts";

/**
 * The blob of an input file: stored while the body arrived, or fetched now.
 * @throws Failure `url_not_allowed`, `download_failed`, `file_too_large`
 */
export async function storeSource(
  { blobs, download }: { blobs: BlobStore; download: Download },
  { source, owner, signal }: { source: FileSource; owner: BlobOwner; signal: AbortSignal },
): Promise<BlobRef> {
  if ("blob" in source) return source.blob;
  return blobs.put(owner, download(source.url, { maxBytes: maxFileBytes, signal }));
}
