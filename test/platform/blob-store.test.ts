import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import t, { type Test } from "tap";
import { type BlobStore, openBlobStore } from "../../platform/blob-store.ts";
import { newId } from "../../platform/new-id.ts";
import { startS3 } from "../support/start-s3.ts";
import { ownFolder } from "../support/start-servers.ts";

t.test("blobs as files", async (t) => {
  const folder = await ownFolder(t);
  await keepsPromises(t, await openBlobStore(pathToFileURL(folder).href));
  t.same(await temporaryFiles(folder), [], "nothing half-written is left");
});

t.test("blobs in S3", async (t) => {
  const { url, keys } = await startS3(t);
  await keepsPromises(t, await openBlobStore(url));
  t.same(
    keys().filter((key) => !/^prefix\/jobs\/job_\w+\/[0-9a-f]{64}$/.test(key)),
    [],
    "nothing half-written is left",
  );
});

async function keepsPromises(t: Test, blobs: BlobStore): Promise<void> {
  const owner = () => ({ kind: "jobs", id: newId("job") }) as const;
  const put = (of: ReturnType<typeof owner>, ...chunks: Uint8Array[]) => blobs.put(of, Readable.from(chunks));

  await t.test("what was put is read back, whole or a part of it", async (t) => {
    const bytes = randomBytes(700_000);
    const of = owner();
    const ref = await put(of, bytes.subarray(0, 300_000), bytes.subarray(300_000));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    t.same(ref, { key: `jobs/${of.id}/${sha256}`, size: bytes.length });
    t.ok((await buffer(blobs.read(ref))).equals(bytes));
    const part = await buffer(blobs.read(ref, { start: 299_990, endExclusive: 300_010 }));
    t.ok(part.equals(bytes.subarray(299_990, 300_010)));
    t.same(await put(of, bytes), ref, "putting the same again is the same blob");
  });

  await t.test("an empty file is a file", async (t) => {
    const ref = await put(owner());
    t.equal(ref.size, 0);
    t.equal((await buffer(blobs.read(ref))).length, 0);
  });

  await t.test("a blob can be had as a file on this host", async (t) => {
    const ref = await put(owner(), Buffer.from("hello"));
    const workDir = await mkdtemp(join(await ownFolder(t), "work-"));
    t.equal(await readFile(await blobs.localPath(ref, workDir), "utf8"), "hello");
  });

  await t.test("what is too large, or breaks off, leaves nothing", async (t) => {
    const [tooLarge, broken] = [owner(), owner()];
    const stream = Readable.from([randomBytes(1000), randomBytes(1000)]);
    await t.rejects(blobs.put(tooLarge, stream, { maxBytes: 1999 }), { code: "file_too_large" });
    await t.rejects(blobs.put(broken, breakingOff()), { message: "the line was cut" });
  });

  await t.test(
    "removing one owner's blobs touches no other's, and what is not there is no fault",
    async (t) => {
      const [one, two] = [owner(), owner()];
      const bytes = Buffer.from("the same content");
      const [first, second] = [await put(one, bytes), await put(two, bytes)];
      await blobs.removeOwner(one);
      await blobs.removeOwner(one);
      await t.rejects(buffer(blobs.read(first)));
      t.ok((await buffer(blobs.read(second))).equals(bytes));
    },
  );

  await t.test("owners are listed once their newest blob is old enough", async (t) => {
    const of = owner();
    await put(of, Buffer.from("x"));
    const ids = async (olderThanMs: number) => {
      const found: string[] = [];
      for await (const { id } of blobs.owners("jobs", olderThanMs)) found.push(id);
      return found;
    };
    t.ok((await ids(-60_000)).includes(of.id));
    t.notOk((await ids(60_000)).includes(of.id));
  });

  await t.test("says that it works", (t) => t.resolves(blobs.check()));
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield randomBytes(1000);
  throw new Error("the line was cut");
}

async function temporaryFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.split("/").at(-1)?.startsWith("."));
}
