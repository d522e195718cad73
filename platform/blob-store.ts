import type { Readable } from "node:stream";
import type { BlobOwner, BlobRef } from "./contracts/blob.ts";
import { fileBlobStore } from "./file-blob-store.ts";

export type ByteRange = { start: number; endExclusive: number };

/** Streams in, streams out, with back-pressure. A blob exists whole or not at all. */
export type BlobStore = {
  /**
   * Stores what the source yields. The source's own error is passed on, and nothing is left behind.
   * @throws Failure file_too_large once more than `maxBytes` have come
   */
  put: (
    owner: BlobOwner,
    source: AsyncIterable<Uint8Array>,
    limit?: { maxBytes: number },
  ) => Promise<BlobRef>;
  /** Errors on the stream if the blob is gone. */
  read: (ref: BlobRef, range?: ByteRange) => Readable;
  /** A path on this host where the blob can be read as a file; `workDir` is where it may be copied to, and made if it is missing. Never write to it. */
  localPath: (ref: BlobRef, workDir: string) => Promise<string>;
  /** Removes all that the owner has. Nothing there is no error. */
  removeOwner: (owner: BlobOwner) => Promise<void>;
  /** Owners of a kind whose newest blob is older than `olderThanMs`: what a sweep asks about. */
  owners: (kind: BlobOwner["kind"], olderThanMs: number) => AsyncIterable<BlobOwner>;
  /** Rejects when blobs cannot be written. */
  check: () => Promise<void>;
};

/**
 * @param url `file:///folder` or `s3://bucket/prefix`
 */
export async function openBlobStore(url: string): Promise<BlobStore> {
  const { protocol } = new URL(url);
  if (protocol === "file:") return fileBlobStore(new URL(url));
  if (protocol === "s3:") return (await import("./s3-blob-store.ts")).s3BlobStore(new URL(url));
  throw new Error(`BLOB_URL must begin with file:// or s3://, not ${protocol}`);
}
