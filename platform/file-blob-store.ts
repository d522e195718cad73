import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BlobStore } from "./blob-store.ts";
import type { BlobOwner, BlobRef } from "./contracts/blob.ts";
import { Failure } from "./contracts/failures.ts";

/** Blobs as files below one folder, shared by every process of the host (or by hosts, over a network file system). */
export function fileBlobStore(folder: URL): BlobStore {
  const root = fileURLToPath(folder);
  const pathOf = (ref: BlobRef) => join(root, ref.key);
  return {
    put: (owner, source, limit) => put(root, owner, source, limit?.maxBytes ?? Number.POSITIVE_INFINITY),
    read: (ref, range) =>
      createReadStream(pathOf(ref), {
        highWaterMark: 256 * 1024,
        ...(range === undefined ? {} : { start: range.start, end: range.endExclusive - 1 }),
      }),
    localPath: async (ref) => pathOf(ref),
    removeOwner: ({ kind, id }) => rm(join(root, kind, id), { recursive: true, force: true }),
    owners: (kind, olderThanMs) => owners(root, kind, olderThanMs),
    check: async () => {
      await mkdir(root, { recursive: true });
      await access(root, constants.W_OK);
    },
  };
}

/** Under a temporary name, hashed, synced, then renamed: a crash leaves no blob that is not whole. */
async function put(
  root: string,
  owner: BlobOwner,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BlobRef> {
  const folder = join(root, owner.kind, owner.id);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    const file = await open(temporary, "wx", 0o600);
    const { sha256, size } = await writeAll(file, source, maxBytes).finally(() => file.close());
    await rename(temporary, join(folder, sha256));
    await syncFolder(folder);
    return { key: `${owner.kind}/${owner.id}/${sha256}`, size };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAll(file: FileHandle, source: AsyncIterable<Uint8Array>, maxBytes: number) {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new Failure("file_too_large", `The file is larger than ${maxBytes} bytes. Send a smaller one.`);
    }
    hash.update(chunk);
    await file.writev([chunk]);
  }
  await file.datasync();
  return { sha256: hash.digest("hex"), size };
}

/** A rename is on disk only once its folder is: fsync(2) says so of the directory entry. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

async function* owners(root: string, kind: BlobOwner["kind"], olderThanMs: number): AsyncIterable<BlobOwner> {
  const before = Date.now() - olderThanMs;
  const names = await readdir(join(root, kind)).catch(() => []);
  for (const id of names) {
    const { mtimeMs } = await stat(join(root, kind, id)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < before) yield { kind, id };
  }
}
