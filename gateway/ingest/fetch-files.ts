import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobOwner, BlobRef } from "../../platform/contracts/blob.ts";
import { Failure } from "../../platform/contracts/failures.ts";
import { type FileSource, maxFileBytes } from "../../platform/contracts/http-api/file-input.ts";
import type { Download } from "../../platform/download.ts";

/** A file that a body names, and the place where it does (`files[3].pdf_url`). */
export type NamedSource = { source: FileSource; path: string };

/**
 * Brings all files of a call into the blob store, those given by URL side by side. The first that fails ends the
 * others; its failure says which it was.
 */
export type FetchFiles = (
  owner: BlobOwner,
  sources: readonly NamedSource[],
  signal: AbortSignal,
) => Promise<BlobRef[]>;

export function createFetchFiles({ blobs, download }: { blobs: BlobStore; download: Download }): FetchFiles {
  return async function fetchFiles(owner, sources, signal) {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const fetched = sources.map(async ({ source, path }) => {
      if ("blob" in source) return source.blob;
      try {
        const bytes = download(source.url, { maxBytes: maxFileBytes, signal: either });
        return await blobs.put(owner, bytes, { maxBytes: maxFileBytes });
      } catch (error) {
        stop.abort(new Failure("unavailable", "Another file of the same call could not be fetched."));
        throw at(path, error);
      }
    });
    // All have ended before anybody removes what they wrote.
    const settled = await Promise.allSettled(fetched);
    const failed = settled.find((one) => one.status === "rejected" && !isStopped(one.reason, stop.signal));
    if (failed?.status === "rejected") throw failed.reason;
    return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  };
}

function isStopped(error: unknown, signal: AbortSignal): boolean {
  return error instanceof Failure && error.cause === signal.reason && signal.aborted;
}

function at(path: string, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.code, `${path}: ${error.message}`, {
    cause: error,
    details: [{ path, message: error.message }],
  });
}
