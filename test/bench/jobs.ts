/** Small jobs from call to answer over HTTP, through every process: what a caller waits for who sends one page. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSystem } from "../../deploy/system.ts";
import { ensureDemoAccount } from "../../gateway/accounts/demo-account.ts";
import { openDatabase } from "../../platform/database.ts";
import { makePdf } from "../support/make-pdf.ts";

type Load = { what: string; path: string; body: object; calls: number; atOnce: number; boundMs?: number };

const dataDir = await mkdtemp(join(tmpdir(), "bench-jobs-"));
const system = await startSystem({
  dataDir,
  env: { PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000" },
  run: ["gateway", "workers"],
  onLine: () => undefined,
  onRestart: (name) => console.error(`${name} died`),
});
try {
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway" });
  const key = (await ensureDemoAccount(db).finally(() => db.destroy()))?.key ?? "";
  const attachments = [{ name: "filling", data: randomBytes(18 * 1024) }];
  const page = Buffer.from(await makePdf({ attachments })).toString("base64");
  const compress = { path: "/api/v1/pdf/compress", body: { pdf_base64: page } };
  const merge = { path: "/api/v1/pdf/merge", body: { files: [{ pdf_base64: page }, { pdf_base64: page }] } };
  const loads: Load[] = [
    { what: "compress, 20 kB, one at a time", ...compress, calls: 100, atOnce: 1, boundMs: 60 },
    { what: "merge, 2 × 20 kB, one at a time", ...merge, calls: 100, atOnce: 1, boundMs: 40 },
    { what: "merge, 2 × 20 kB, 4 at once", ...merge, calls: 300, atOnce: 4, boundMs: 40 },
    { what: "merge, 2 × 20 kB, 16 at once", ...merge, calls: 2000, atOnce: 16 },
  ];
  for (const load of [compress, merge]) await measure(key, { ...load, what: "", calls: 40, atOnce: 2 });
  const rows = [];
  for (const load of loads) rows.push(await measure(key, load));
  console.table(rows);
} finally {
  await system.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(key: string, { what, path, body, calls, atOnce, boundMs }: Load) {
  const times: number[] = [];
  const json = JSON.stringify(body);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  async function call(): Promise<void> {
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${system.port}${path}`, {
      method: "POST",
      headers,
      body: json,
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  async function oneAfterAnother(): Promise<void> {
    for (let index = 0; index < calls / atOnce; index += 1) await call();
  }
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, oneAfterAnother));
  const perSecond = Math.round((times.length / (performance.now() - startedAt)) * 1000);
  times.sort((a, b) => a - b);
  const at = (share: number) => Number(times[Math.floor((times.length - 1) * share)]?.toFixed(1));
  const p50 = at(0.5);
  return {
    what,
    perSecond,
    "p50 ms": p50,
    "p95 ms": at(0.95),
    "p99 ms": at(0.99),
    ...(boundMs === undefined ? {} : { "bound ms": boundMs, ratio: (p50 / boundMs).toFixed(2) }),
  };
}
