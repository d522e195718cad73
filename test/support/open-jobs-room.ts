import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Test } from "tap";
import { type JobsRoom, openJobs } from "../../gateway/jobs/open-jobs.ts";
import type { JobOrder } from "../../gateway/jobs/submit-job.ts";
import { history } from "../../gateway/migrations/history.ts";
import { type BlobStore, openBlobStore } from "../../platform/blob-store.ts";
import { type Bus, connectBus } from "../../platform/bus.ts";
import { type Database, migrate, openDatabase } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { newId } from "../../platform/new-id.ts";
import { createSecretBox } from "../../platform/secret-box.ts";
import { ownFolder, startMysql, startNats } from "./start-servers.ts";

export type Stores = { natsUrl: string; databaseUrl: string; dataDir: string };
export type TestRoom = JobsRoom & { db: Database; bus: Bus; blobs: BlobStore };

type Options = Partial<Pick<Parameters<typeof openJobs>[0], "now" | "waitMs" | "limits">>;

export async function startStores(t: Test): Promise<Stores> {
  const [nats, mysql, dataDir] = await Promise.all([startNats(t), startMysql(t), ownFolder(t)]);
  return { natsUrl: nats.url, databaseUrl: mysql.url, dataDir };
}

/** The gateway's jobs room without HTTP, swept only when the test says so. Several over the same stores are several gateways. */
export async function openJobsRoom(t: Test, stores: Stores, options: Options = {}): Promise<TestRoom> {
  const log = createLog("test", "silent");
  const db = await openDatabase({ url: stores.databaseUrl, service: "gateway" });
  await migrate(db, history);
  const bus = await connectBus({ url: stores.natsUrl, service: "test", log });
  const blobs = await openBlobStore(pathToFileURL(join(stores.dataDir, "blobs")).href);
  const secretBox = createSecretBox(new Uint8Array(32));
  const limits = { ofAll: 1000, ofAccount: 1000 };
  const room = openJobs({
    db,
    bus,
    blobs,
    secretBox,
    metrics: createMetrics("test"),
    log,
    waitMs: 20_000,
    limits,
    sweepEveryMs: 3_600_000,
    ...options,
  });
  t.teardown(async () => {
    await room.close();
    await bus.close();
    await db.destroy();
  });
  return { ...room, db, bus, blobs };
}

/** An order for `submitJob`: by default an asynchronous merge of two files, of an account of its own. */
export async function orderOf(
  blobs: BlobStore,
  { files = [Buffer.from("one"), Buffer.from("two")], ...changes }: OrderChanges = {},
): Promise<JobOrder> {
  const id = newId("job");
  const owner = { kind: "jobs", id } as const;
  return {
    id,
    caller: { accountId: newId("account") },
    task: { operation: "merge", params: { pageSize: "original" } },
    sources: await Promise.all(files.map((file) => blobs.put(owner, Readable.from([file])))),
    webhook: null,
    respondAsync: true,
    trail: {},
    signal: new AbortController().signal,
    ...changes,
  };
}
type OrderChanges = Partial<JobOrder> & { files?: readonly Uint8Array[] };

/** The outcome of a job whose result is `data` and one file, both stored under the job. */
export async function outcomeOf(blobs: BlobStore, jobId: string, data: object, file: Uint8Array) {
  const owner = { kind: "jobs", id: jobId } as const;
  const result = await blobs.put(owner, Readable.from([Buffer.from(JSON.stringify(data))]));
  const files = await blobs.put(owner, Readable.from([file]));
  return { ok: true as const, result, files, fileSizes: [file.length] };
}
