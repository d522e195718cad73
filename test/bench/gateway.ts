/**
 * The gateway alone: memory and event loop while eight bodies of 100 MB in base64 arrive at once, and the time of
 * small calls. Jobs are queued and not done, so nothing else is measured.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startSystem } from "../../deploy/system.ts";
import { ensureDemoAccount } from "../../gateway/accounts/demo-account.ts";
import { openDatabase } from "../../platform/database.ts";

const megabyte = 1024 * 1024;
const uploads = 8;
const fileBytes = 100 * megabyte;

const dataDir = await mkdtemp(join(tmpdir(), "bench-gateway-"));
const system = await startSystem({
  dataDir,
  env: { PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000", QUEUE_LIMIT_PER_ACCOUNT: "100000" },
  run: ["gateway"],
  onLine: () => undefined,
  onRestart: (name) => console.error(`${name} died`),
});
const agent = new Agent({ keepAlive: true });
try {
  const key = await demoKey();
  const rows = [await measureUploads(key, "large bodies as JSON", jsonBody)];
  rows.push(await measureUploads(key, "large bodies as forms", formBody));
  console.table(rows);
  console.table(await measureSmallCalls(key));
} finally {
  agent.destroy();
  await system.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function demoKey(): Promise<string> {
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway" });
  const demo = await ensureDemoAccount(db).finally(() => db.destroy());
  return demo?.key ?? "";
}

type Body = { type: string; pieces: () => Generator<Buffer> };

function jsonBody(): Body {
  const piece = Buffer.from(randomBytes(3 * 64 * 1024).toString("base64"), "latin1");
  return {
    type: "application/json",
    *pieces() {
      yield Buffer.from('{"level":"low","pdf_base64":"');
      for (let sent = 0; sent + 3 * 64 * 1024 <= fileBytes; sent += 3 * 64 * 1024) yield piece;
      yield Buffer.from('"}');
    },
  };
}

function formBody(): Body {
  const piece = randomBytes(256 * 1024);
  return {
    type: "multipart/form-data; boundary=border",
    *pieces() {
      yield Buffer.from('--border\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n');
      for (let sent = 0; sent + piece.length <= fileBytes; sent += piece.length) yield piece;
      yield Buffer.from("\r\n--border--\r\n");
    },
  };
}

async function measureUploads(key: string, what: string, bodyOf: () => Body) {
  await post(key, smallBody());
  await longestStallMs();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes());
  }, 20);
  const startedAt = performance.now();
  const statuses = await Promise.all(Array.from({ length: uploads }, () => post(key, bodyOf())));
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  return {
    what: `${uploads} ${what}`,
    statuses: [...new Set(statuses)].join(),
    seconds: seconds.toFixed(1),
    "MB/s of files": Math.round((uploads * fileBytes) / megabyte / seconds),
    "peak RSS MB": peak,
    "bound MB": 200,
    "longest stall ms": await longestStallMs(),
    "bound ms": 50,
  };
}

function smallBody(): Body {
  const json = JSON.stringify({ pdf_base64: randomBytes(20 * 1024).toString("base64") });
  return {
    type: "application/json",
    *pieces() {
      yield Buffer.from(json);
    },
  };
}

async function measureSmallCalls(key: string) {
  const body = smallBody();
  const rows = [];
  for (const atOnce of [1, 4, 16]) {
    const times: number[] = [];
    const one = async () => {
      for (let call = 0; call < 400 / atOnce; call++) {
        const startedAt = performance.now();
        await post(key, body);
        times.push(performance.now() - startedAt);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: atOnce }, one));
    const perSecond = Math.round((times.length / (performance.now() - startedAt)) * 1000);
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1);
    rows.push({ what: `20 kB queued, ${atOnce} at once`, perSecond, "p50 ms": at(0.5), "p99 ms": at(0.99) });
  }
  return rows;
}

async function post(key: string, { type, pieces }: Body): Promise<number> {
  const call = request({
    port: system.port,
    method: "POST",
    path: "/api/v1/pdf/compress",
    agent,
    headers: { authorization: `Bearer ${key}`, "content-type": type, prefer: "respond-async" },
  });
  const answered = once(call, "response");
  for (const piece of pieces()) if (!call.write(piece)) await once(call, "drain");
  call.end();
  const [response] = await answered;
  response.resume();
  await once(response, "end");
  return response.statusCode;
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${system.process("gateway")?.pid()}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Since it was last asked: the gateway's histogram starts anew with every scrape. */
async function longestStallMs(): Promise<number> {
  await delay(50);
  const text = await (await fetch(`http://127.0.0.1:${system.port}/metrics`)).text();
  return Math.round(Number(/nodejs_eventloop_lag_max_seconds\{.*\} ([\d.e-]+)/.exec(text)?.[1]) * 1000);
}
