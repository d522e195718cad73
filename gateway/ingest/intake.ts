import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobOwner } from "../../platform/contracts/blob.ts";
import { type Fault, validationFailure } from "../../platform/contracts/failures.ts";
import { maxFileBytes, maxFiles, UploadedFile } from "../../platform/contracts/http-api/file-input.ts";
import { BadBase64, createBase64Decoder } from "./decode-base64.ts";

/** Takes the files of one request into the blob store. */
export type Intake = {
  /** @throws Failure file_too_large, or validation_failed for one file too many */
  takeBytes: (path: string, bytes: AsyncIterable<Uint8Array>) => Promise<UploadedFile>;
  /** The same from base64. What is no base64 becomes a fault and null, so that other faults are told beside it. */
  takeBase64: (path: string, base64: AsyncIterator<Buffer, void, void>) => Promise<UploadedFile | null>;
  faults: readonly Fault[];
};

export function createIntake(blobs: BlobStore, owner: BlobOwner): Intake {
  const faults: Fault[] = [];
  let count = 0;

  async function takeBytes(path: string, bytes: AsyncIterable<Uint8Array>): Promise<UploadedFile> {
    if (++count > maxFiles) throw validationFailure(path, `a request takes at most ${maxFiles} files`);
    return new UploadedFile(await blobs.put(owner, bytes, { maxBytes: maxFileBytes }));
  }

  async function takeBase64(path: string, base64: AsyncIterator<Buffer, void, void>) {
    try {
      return await takeBytes(path, decoded(base64));
    } catch (error) {
      if (!(error instanceof BadBase64)) throw error;
      faults.push({ path, message: `${error.message}; send the file in base64` });
      return null;
    }
  }

  return { takeBytes, takeBase64, faults };
}

/** By hand and not by `for await`: after a fault the rest of the text must still be there to be passed over. */
async function* decoded(base64: AsyncIterator<Buffer, void, void>): AsyncGenerator<Uint8Array> {
  const decoder = createBase64Decoder();
  let size = 0;
  for (let piece = await base64.next(); piece.done !== true; piece = await base64.next()) {
    const bytes = decoder.write(piece.value);
    size += bytes.length;
    if (bytes.length > 0) yield bytes;
  }
  const last = decoder.end();
  if (size + last.length === 0) throw new BadBase64("is empty");
  if (last.length > 0) yield last;
}
