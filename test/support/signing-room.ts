import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Test } from "tap";
import { type BlobStore, openBlobStore } from "../../platform/blob-store.ts";
import type { CreateRequestFields } from "../../platform/contracts/http-api/signature-requests.ts";
import { type Database, migrate, openDatabase } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import type { Outbox } from "../../platform/outbox.ts";
import { history } from "../../signing/migrations/history.ts";
import { createCancelRequest } from "../../signing/requests/cancel-request.ts";
import { createCompleteLink } from "../../signing/requests/complete-link.ts";
import { createCreateRequest } from "../../signing/requests/create-request.ts";
import { createExpireRequests } from "../../signing/requests/expire-requests.ts";
import { createListRequests } from "../../signing/requests/list-requests.ts";
import { createRemindSigners } from "../../signing/requests/remind-signers.ts";
import { createSealDue, createSealRequest } from "../../signing/requests/seal-request.ts";
import { createOpenLink } from "../../signing/requests/signing-link.ts";
import type { SealPool } from "../../signing/seal/seal-pool.ts";
import { createSignLink } from "../../signing/sign-link.ts";
import { createWithLocalFile } from "../../signing/with-local-file.ts";
import { ownFolder, startMysql } from "./start-servers.ts";

const connection = { ip: "192.0.2.1", userAgent: "test" };
const key = Buffer.alloc(32, 7);

/** Says yes to everything, and seals by writing who signed: these tests are about who may do what when. */
const quickPool: SealPool = {
  inspectUpload: async () => ({ pages: [{ width: 600, height: 800 }] }),
  checkValues: async () => undefined,
  seal: async ({ outputPath, audit }) => {
    const bytes = Buffer.from(audit.map(({ hash }) => hash).join("\n"));
    await writeFile(outputPath, bytes);
    return {
      sha256: createHash("sha256").update(bytes).digest("hex"),
      size: bytes.length,
      padesLevel: "B-B",
      timestampFault: null,
      base: "original",
    };
  },
  verify: () => Promise.reject(new Error("not in this room")),
  close: async () => undefined,
};

export type SigningRoom = ReturnType<typeof useCases> & {
  db: Database;
  clock: { now: Date };
  /** Makes a request; returns its id and its signers' tokens. */
  make: (body: Partial<CreateRequestFields>, accountId?: string) => Promise<Made>;
};
export type Made = { id: string; accountId: string; keyId: string; tokens: string[] };

/** The use cases of the signing service over a MariaDB of the test's own, with a clock that stands until it is moved. */
export async function openSigningRoom(t: Test, pool: SealPool = quickPool): Promise<SigningRoom> {
  const [server, folder] = await Promise.all([startMysql(t), ownFolder(t)]);
  const db = await openDatabase({ url: server.url, service: "signing", poolSize: 20 });
  t.teardown(() => db.destroy());
  await migrate(db, history);
  const blobs = await openBlobStore(pathToFileURL(join(folder, "blobs")).href);
  const clock = { now: new Date("2026-11-21T08:00:00.000Z") };
  const cases = useCases({ db, blobs, pool, folder, clock });
  return { ...cases, db, clock, make: (body, accountId) => make(cases, blobs, body, accountId) };
}

type Ground = { db: Database; blobs: BlobStore; pool: SealPool; folder: string; clock: { now: Date } };

function useCases({ db, blobs, pool, folder, clock }: Ground) {
  const outbox: Outbox = {
    publishNow: async () => undefined,
    sweep: async () => undefined,
    close: async () => undefined,
  };
  const change = { db, outbox, now: () => new Date(clock.now), mailsQueued: () => undefined };
  const link = createSignLink({ key, baseUrl: "http://sign.test" });
  const withLocalFile = createWithLocalFile({ blobs, workDir: folder });
  const log = createLog("test", "silent");
  const sealRequest = createSealRequest({ ...change, blobs, pool, withLocalFile, log });
  const expireRequests = createExpireRequests(change);
  return {
    createRequest: createCreateRequest({ ...change, blobs, pool, link, withLocalFile }),
    cancelRequest: createCancelRequest(change),
    remindSigners: createRemindSigners(change),
    openLink: createOpenLink({ ...change, link }),
    completeLink: createCompleteLink({ ...change, link, pool, sealRequest }),
    expireRequests,
    listRequests: createListRequests({ db, now: change.now, expireRequests }),
    sealDue: createSealDue({ ...change, sealRequest }),
  };
}

async function make(
  { createRequest }: Pick<SigningRoom, "createRequest">,
  blobs: BlobStore,
  body: Partial<CreateRequestFields>,
  accountId = newId("account"),
): Promise<Made> {
  const id = newId("signatureRequest");
  const keyId = newId("key");
  async function* bytes() {
    yield Buffer.from(`the document of ${id}`);
  }
  const document = await blobs.put({ kind: "requests", id }, bytes());
  const fields = { title: "Lease", signers: [{ name: "Ada", email: "ada@example.com" }], ...body };
  const made = await createRequest({ id, accountId, keyId, ...connection, document, body: fields }, {});
  return {
    id,
    accountId,
    keyId,
    tokens: made.signers.map(({ sign_url }) => sign_url.split("/").at(-1) ?? ""),
  };
}

/** What a signer without fields sends. */
export const freeSignature = {
  consent: true as const,
  fields: [],
  signature: { type: "typed" as const, text: "Ada" },
  placement: { page: 1, x: 10, y: 10, width: 100, height: 40 },
};

export function byLink(token: string | undefined) {
  return { token: token ?? "", ...connection };
}

export function byAccount({ id, accountId, keyId }: Made) {
  return { id, accountId, keyId, ...connection };
}
