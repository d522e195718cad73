import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensureDemoAccount } from "../gateway/accounts/demo-account.ts";
import { openDatabase } from "../platform/database.ts";
import { isFree } from "./free-port.ts";
import { services, startSystem } from "./system.ts";

/**
 * `npm start`: the whole system on one machine. Uses NATS_URL and DATABASE_URL where they are set, else starts
 * private servers with their data below DATA_DIR. Services write to `<DATA_DIR>/logs`; what needs a human's eye is
 * shown here.
 */
const dataDir = resolve(process.env.DATA_DIR || ".data");
const port = process.env.PORT || "8080";
const host = process.env.HOST || "127.0.0.1";
const baseUrl = process.env.PUBLIC_BASE_URL || `http://localhost:${port}`;

const say = (text: string) => process.stdout.write(`${text}\n`);

await mkdir(join(dataDir, "logs"), { recursive: true, mode: 0o700 });
const release = await holdDataDir(join(dataDir, "launcher.pid"));
if (!(await isFree(Number(port), host))) {
  say(`Port ${port} of ${host} is taken. Set PORT to another one, and DATA_DIR to run a second copy.`);
  await release();
  process.exit(1);
}
const logs = new Map<string, WriteStream>();

// Before all is up there is nothing to stop in order: what was started ends with us.
const giveUp = () => process.exit(130);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, giveUp);
const system = await startSystem({
  dataDir,
  env: { ...process.env, PORT: port, HOST: host, PUBLIC_BASE_URL: baseUrl },
  onLine: (from, line) => {
    logOf(from).write(`${line}\n`);
    const problem = problemIn(line);
    if (problem !== undefined) say(`${from}: ${problem}`);
  },
  onRestart: (name, { code, signal }) =>
    say(`${name} ended (${signal ?? `exit code ${code}`}); it is started again`),
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.off(signal, giveUp);
  process.once(signal, () => void stop());
}

// For `npm run keys`: a private server's port changes.
await writeFile(join(dataDir, "database-url"), system.databaseUrl, { mode: 0o600 });
const key = await demoKey(join(dataDir, "demo-key"));
say(`Logs of ${services.join(", ")}: ${join(dataDir, "logs")}`);
say(
  `Ready at ${baseUrl}  API key of the demo account: ${key ?? "made before; npm run keys -- create makes another"}`,
);

/** Made with the account on the first start and kept in a file, since a database holds only its hash. */
async function demoKey(path: string): Promise<string | null> {
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway", poolSize: 1 });
  const made = await ensureDemoAccount(db).finally(() => db.destroy());
  if (made === null) return readFile(path, "utf8").catch(() => null);
  await writeFile(path, made.key, { mode: 0o600 });
  return made.key;
}

async function stop(): Promise<void> {
  say("Stopping …");
  await system.stop();
  await release();
  process.exit(0);
}

function logOf(from: string): WriteStream {
  const known = logs.get(from);
  if (known !== undefined) return known;
  const made = createWriteStream(join(dataDir, "logs", `${from}.log`), { flags: "a", mode: 0o600 });
  logs.set(from, made);
  return made;
}

/** The message of a warning or worse; what a crash prints is no JSON and is shown as it is. */
function problemIn(line: string): string | undefined {
  if (!line.startsWith("{")) return /^(\[|\d{4}-|Version:|\s*$)/.test(line) ? undefined : line;
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level?: number;
      msg?: string;
      err?: { message?: string };
    };
    return level !== undefined && level >= 40 ? [msg, err?.message].filter(Boolean).join(": ") : undefined;
  } catch {
    return line;
  }
}

/** One launcher a data folder: two would fight over its stores. */
async function holdDataDir(path: string): Promise<() => Promise<void>> {
  const holder = Number(await readFile(path, "utf8").catch(() => ""));
  if (holder > 0 && (await isLauncher(holder))) {
    say(`${dataDir} is in use by process ${holder}. Stop it, or set DATA_DIR and PORT to run a second copy.`);
    process.exit(1);
  }
  await writeFile(path, String(process.pid));
  return () => rm(path, { force: true });
}

/** A process id may have been given to another program since. */
async function isLauncher(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return commandLine.includes("local.ts");
}
