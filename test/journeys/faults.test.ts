import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import sharp from "sharp";
import t, { type Test } from "tap";
import { freePort } from "../../deploy/free-port.ts";
import type { ProcessName } from "../../deploy/system.ts";
import { openDatabase } from "../../platform/database.ts";
import { type ApiAccount, openApiAccount } from "../support/api-account.ts";
import { makePdf } from "../support/make-pdf.ts";
import { startSystem, type TestSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

t.test("killing any one process under load", async (t) => {
  const env = { PORT: String(await freePort()), WORKER_SLOTS: "2" };
  const system = await startSystem(t, { env, run: ["gateway", "workers"] });
  const account = await openApiAccount(t, system);
  const load = startLoad(account, await ordersOf());

  for (const name of ["workers", "gateway", "nats-server", "mariadbd"] as const) {
    await load.accepted(6);
    await killed(system, name);
  }
  await load.accepted(6);
  await killGhostscript(system);
  await load.accepted(6);
  const ids = await load.stop();

  const jobs = new Map<string, string>();
  const failed: unknown[] = [];
  await until("every accepted job has ended", async () => {
    for (const id of ids) {
      if (jobs.has(id)) continue;
      const { status, body } = await account.call("GET", `/api/v1/pdf/jobs/${id}`);
      if (status !== 200 || body.data.completed_at === null) return null;
      jobs.set(id, digestOf(body.data.data));
      if (body.data.status !== "completed") failed.push(body.data);
    }
    return true;
  });

  t.same(failed, [], "every accepted job is done, whatever died");

  const announced = await announcedResults(t, system);
  t.same(
    ids.map((id) => announced.get(id)),
    ids.map((id) => [jobs.get(id)]),
    "the end of each is announced once, with the very result that the job shows",
  );
  t.comment(`${ids.length} jobs were accepted, and all ended once`);
});

/** Compression asks Ghostscript only where there is something to win. */
async function largeEnoughForGhostscript(): Promise<string> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 30 };
  const data = await sharp({ create: { width: 300, height: 300, channels: 3, noise, background: "white" } })
    .png()
    .toBuffer();
  const pdf = await makePdf({
    pages: [{ text: "Two", images: [{ data, x: 50, y: 50, width: 300, height: 300 }] }],
  });
  return Buffer.from(pdf).toString("base64");
}

type Order = { path: string; body: object };

async function ordersOf(): Promise<Order[]> {
  const base64 = async (text: string) =>
    Buffer.from(await makePdf({ pages: [{ text }, { text: `${text}, continued` }] })).toString("base64");
  const [one, two] = [await base64("One"), await base64("Two")];
  return [
    { path: "/api/v1/pdf/merge", body: { files: [{ pdf_base64: one }, { pdf_base64: two }] } },
    { path: "/api/v1/pdf/split", body: { pdf_base64: one } },
    { path: "/api/v1/pdf/compress", body: { pdf_base64: await largeEnoughForGhostscript() } },
  ];
}

/** Sends order after order, whatever becomes of them, and remembers the jobs that were accepted. */
function startLoad(account: ApiAccount, orders: readonly Order[]) {
  const ids: string[] = [];
  let going = true;

  async function send(): Promise<void> {
    for (let index = 0; going; index += 1) {
      const { path, body } = orders[index % orders.length] as Order;
      await account.call("POST", path, body, { prefer: "respond-async" }).then(
        (answer) => answer.status === 202 && ids.push(answer.body.data.job_id),
        // The gateway is away, or died while we spoke: nothing was promised.
        () => undefined,
      );
    }
  }

  const sending = [send(), send()];
  return {
    accepted: (more: number) => {
      const enough = ids.length + more;
      return until(`${more} more jobs accepted`, async () => (ids.length >= enough ? true : null));
    },
    stop: async () => {
      going = false;
      await Promise.all(sending);
      return ids;
    },
  };
}

async function killed(system: TestSystem, name: ProcessName): Promise<void> {
  const before = system.process(name)?.pid();
  system.process(name)?.kill("SIGKILL");
  await until(`${name} runs again`, async () => {
    const pid = system.process(name)?.pid();
    return pid !== undefined && pid !== before ? pid : null;
  });
  if (name === "gateway" || name === "workers") await system.ready(name);
}

async function killGhostscript(system: TestSystem): Promise<void> {
  const pid = await until("a Ghostscript child", () => childOf(system.process("workers")?.pid() ?? 0));
  process.kill(pid, "SIGKILL");
}

async function childOf(parent: number): Promise<number | null> {
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "")),
    );
    const isChild = stat?.split(") ")[1]?.split(" ")[1] === String(parent);
    if (isChild && command?.includes("ghostscript")) return Number(name);
  }
  return null;
}

/** Digests of the results that events announce, by job. */
async function announcedResults(t: Test, system: TestSystem): Promise<Map<string, string[]>> {
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway", poolSize: 1 });
  t.teardown(() => db.destroy());
  const results = new Map<string, string[]>();
  for (const { payload } of await db("outbox").select("payload")) {
    const { jobId, body } = JSON.parse(payload);
    const { data } = JSON.parse(await readFile(`${system.dataDir}/blobs/${body.blob.key}`, "utf8"));
    results.set(jobId, [...(results.get(jobId) ?? []), digestOf(data)]);
  }
  return results;
}

function digestOf(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}
