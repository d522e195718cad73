import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { BlobStore, ByteRange } from "./blob-store.ts";
import { type BlobOwner, type BlobRef, sha256Of } from "./contracts/blob.ts";
import { Failure } from "./contracts/failures.ts";

type Bucket = { client: S3Client; name: string; prefix: string };

/**
 * Blobs in S3 or what speaks its protocol: `s3://bucket/prefix?endpoint=https://…&region=…`. Credentials come from
 * where the AWS SDK looks for them (environment, role).
 */
export function s3BlobStore(url: URL): BlobStore {
  const endpoint = url.searchParams.get("endpoint");
  const bucket: Bucket = {
    client: new S3Client({
      region: url.searchParams.get("region") ?? "us-east-1",
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    }),
    name: url.hostname,
    prefix: url.pathname === "/" || url.pathname === "" ? "" : `${url.pathname.slice(1)}/`,
  };
  return {
    put: (owner, source, limit) => put(bucket, owner, source, limit?.maxBytes ?? Number.POSITIVE_INFINITY),
    read: (ref, range) => Readable.from(chunksOf(bucket, ref, range)),
    localPath: async (ref, workDir) => {
      await mkdir(workDir, { recursive: true, mode: 0o700 });
      const path = join(workDir, sha256Of(ref));
      await pipeline(Readable.from(chunksOf(bucket, ref)), createWriteStream(path, { mode: 0o600 }));
      return path;
    },
    removeOwner: (owner) => removeOwner(bucket, owner),
    owners: (kind, olderThanMs) => owners(bucket, kind, olderThanMs),
    check: () => bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name })).then(() => undefined),
  };
}

/** Uploaded under a temporary key while it is hashed, since the final key holds the hash; then copied within S3. */
async function put(
  bucket: Bucket,
  owner: BlobOwner,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BlobRef> {
  const folder = `${bucket.prefix}${owner.kind}/${owner.id}`;
  const temporary = `${folder}/.${randomUUID()}`;
  const hash = createHash("sha256");
  let size = 0;
  async function* counted() {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes)
        throw new Failure("file_too_large", `The file is larger than ${maxBytes} bytes. Send a smaller one.`);
      hash.update(chunk);
      yield chunk;
    }
  }
  const body = new PassThrough();
  const upload = new Upload({
    client: bucket.client,
    params: { Bucket: bucket.name, Key: temporary, Body: body },
  });
  const uploaded = upload.done();
  try {
    await Promise.all([pipeline(counted, body), uploaded]);
    const sha256 = hash.digest("hex");
    await bucket.client.send(
      new CopyObjectCommand({
        Bucket: bucket.name,
        Key: `${folder}/${sha256}`,
        CopySource: `${bucket.name}/${temporary}`,
      }),
    );
    return { key: `${owner.kind}/${owner.id}/${sha256}`, size };
  } catch (error) {
    await upload.abort();
    await uploaded.catch(() => undefined);
    throw error;
  } finally {
    await bucket.client
      .send(new DeleteObjectCommand({ Bucket: bucket.name, Key: temporary }))
      .catch(() => undefined);
  }
}

async function* chunksOf(bucket: Bucket, ref: BlobRef, range?: ByteRange): AsyncIterable<Uint8Array> {
  const answer = await bucket.client.send(
    new GetObjectCommand({
      Bucket: bucket.name,
      Key: bucket.prefix + ref.key,
      ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.endExclusive - 1}` }),
    }),
  );
  if (answer.Body instanceof Readable) yield* answer.Body;
}

async function removeOwner(bucket: Bucket, { kind, id }: BlobOwner): Promise<void> {
  const Prefix = `${bucket.prefix}${kind}/${id}/`;
  for await (const page of paginateListObjectsV2(
    { client: bucket.client },
    { Bucket: bucket.name, Prefix },
  )) {
    const Objects = (page.Contents ?? []).map(({ Key }) => ({ Key: Key ?? "" }));
    if (Objects.length > 0) {
      await bucket.client.send(new DeleteObjectsCommand({ Bucket: bucket.name, Delete: { Objects } }));
    }
  }
}

async function* owners(
  bucket: Bucket,
  kind: BlobOwner["kind"],
  olderThanMs: number,
): AsyncIterable<BlobOwner> {
  const before = Date.now() - olderThanMs;
  const Prefix = `${bucket.prefix}${kind}/`;
  const newest = new Map<string, number>();
  for await (const page of paginateListObjectsV2(
    { client: bucket.client },
    { Bucket: bucket.name, Prefix },
  )) {
    for (const { Key, LastModified } of page.Contents ?? []) {
      const id = Key?.slice(Prefix.length).split("/")[0];
      if (id !== undefined)
        newest.set(id, Math.max(newest.get(id) ?? 0, LastModified?.getTime() ?? Date.now()));
    }
  }
  for (const [id, modified] of newest) if (modified < before) yield { kind, id };
}
