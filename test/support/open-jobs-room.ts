import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Test } from "tap";
import { type JobsRoom, openJobs } from "../../gateway/jobs/open-jobs.ts";
import { history } from "../../gateway/migrations/history.ts";
import { type BlobStore, openBlobStore } from "../../platform/blob-store.ts";
import { type Bus, connectBus } from "../../platform/bus.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";
import { type Database, migrate, openDatabase } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { createSecretBox } from "../../platform/secret-box.ts";

export type TestRoom = JobsRoom & { db: Database; bus: Bus; blobs: BlobStore };

type Stores = { natsUrl: string; databaseUrl: string; dataDir: string };
type Options = Partial<Pick<Parameters<typeof openJobs>[0], "now" | "waitMs" | "limits">>;

/** The gateway's jobs room without HTTP, over the given stores; several may share them. */
export async function openJobsRoom(t: Test, stores: Stores, options: Options = {}): Promise<TestRoom> {
  const log = createLog("test", "fatal");
  const db = await openDatabase({ url: stores.databaseUrl, service: "gateway" });
  await migrate(db, history);
  const bus = await connectBus({ url: stores.natsUrl, service: "test", log });
  const blobs = await openBlobStore(pathToFileURL(join(stores.dataDir, "blobs")).href);
  const secretBox = createSecretBox(new Uint8Array(32));
  const limits = { ofAll: 1000, ofAccount: 1000 };
  const room = openJobs({ db, bus, blobs, secretBox, log, waitMs: 20_000, limits, ...options });
  t.teardown(async () => {
    await room.close();
    await bus.close();
    await db.destroy();
  });
  return { ...room, db, bus, blobs };
}

/** An order for `submitJob`, its files put under a job of its own. */
export async function orderOf(blobs: BlobStore, task: PdfTask, files: readonly Uint8Array[]) {
  const id = newId("job");
  const owner = { kind: "jobs", id } as const;
  return {
    id,
    caller: { accountId: newId("account") },
    task,
    sources: await Promise.all(files.map((file) => blobs.put(owner, async function* () { yield file; }()))),
    webhook: null,
    respondAsync: false,
    trail: {},
    signal: new AbortController().signal,
  };
}
