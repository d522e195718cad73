import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ReadyMessage } from "../platform/announce-ready.ts";
import { startPrivateMariadb } from "./private-mariadb.ts";
import { type PrivateServer, startPrivateNats } from "./private-nats.ts";
import { ensureSecretsKey } from "./secrets-key.ts";
import { type Supervised, supervise } from "./supervised.ts";

export const services = ["gateway", "workers", "signing", "webhooks"] as const;
export type ServiceName = (typeof services)[number];
export type ProcessName = ServiceName | "nats-server" | "mariadbd";

/**
 * The gateway only passes bytes on: a small nursery makes V8 free the chunks that have gone by early, where it would
 * let some hundred megabytes of them gather.
 */
const flags: Record<ServiceName, readonly string[]> = {
  gateway: ["--max-semi-space-size=2"],
  workers: [],
  signing: [],
  webhooks: [],
};

/** Code as V8 compiled it and as it is without its types: services start in half the time and need 25 MB less. */
const compileCache = join(import.meta.dirname, "../node_modules/.cache/compiled");

export type SystemOptions = {
  dataDir: string;
  /** Variables for every service. NATS_URL or DATABASE_URL among them: that server is used, and none started. */
  env: Readonly<Record<string, string | undefined>>;
  run?: readonly ServiceName[];
  onLine: (from: ProcessName, line: string) => void;
  onRestart: (name: ProcessName, died: { code: number | null; signal: string | null }) => void;
};

export type System = {
  /** Where the gateway listens. */
  port: number;
  natsUrl: string;
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  process: (name: ProcessName) => Supervised | undefined;
  /** Resolves when the service is ready again after it was killed. */
  ready: (name: ServiceName) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the stores that are not given and then the services, all at once; resolves when every one is ready. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { dataDir, env, run = services, onLine, onRestart } = options;
  const server = (name: ProcessName) => ({
    onLine: (line: string) => onLine(name, line),
    onRestart: (died: { code: number | null; signal: string | null }) => onRestart(name, died),
  });
  const given = (url: string | undefined): PrivateServer | undefined =>
    url ? { url, process: none } : undefined;
  const [nats, mariadb, secretsKey] = await Promise.all([
    given(env.NATS_URL) ?? startPrivateNats(join(dataDir, "nats"), server("nats-server")),
    given(env.DATABASE_URL) ?? startPrivateMariadb(join(dataDir, "mariadb"), server("mariadbd")),
    env.SECRETS_KEY ?? ensureSecretsKey(join(dataDir, "secrets-key")),
  ]);
  const processes = new Map<ProcessName, Supervised>([
    ["nats-server", nats.process],
    ["mariadbd", mariadb.process],
  ]);
  const environment = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    BLOB_URL: pathToFileURL(join(dataDir, "blobs")).href,
    ...env,
    DATA_DIR: dataDir,
    NATS_URL: nats.url,
    DATABASE_URL: mariadb.url,
    SECRETS_KEY: secretsKey,
  };
  const started = run.map((name) => startService(name, environment, server(name)));
  for (const { name, process: child } of started) processes.set(name, child);

  async function stop(): Promise<void> {
    // What workers end with or give back, a gateway must still be there to hear; calls that wait get their answers.
    await processes.get("workers")?.stop();
    await Promise.all(started.map(({ process: child }) => child.stop()));
    await Promise.all([nats.process.stop(), mariadb.process.stop()]);
  }

  const [port] = await Promise.all([
    started.find(({ name }) => name === "gateway")?.ready() ?? 0,
    ...started.map(({ ready }) => ready()),
  ]);
  return {
    port,
    natsUrl: nats.url,
    databaseUrl: mariadb.url,
    env: environment,
    process: (name) => processes.get(name),
    ready: async (name) => void (await started.find((service) => service.name === name)?.ready()),
    stop,
  };
}

/** Stands for a server that is not ours to stop. */
const none: Supervised = {
  name: "elsewhere",
  pid: () => undefined,
  kill: () => undefined,
  stop: async () => undefined,
};

type Listeners = { onLine: (line: string) => void; onRestart: Parameters<typeof supervise>[0]["onRestart"] };

function startService(name: ServiceName, env: NodeJS.ProcessEnv, { onLine, onRestart }: Listeners) {
  let ready = Promise.withResolvers<number>();
  let isReady = false;
  const child = supervise({
    name,
    command: process.execPath,
    args: [...flags[name], join(import.meta.dirname, "..", name, "main.ts")],
    env,
    channel: true,
    onLine,
    // The one message that a service sends: that it takes work.
    onMessage: (message) => {
      isReady = true;
      ready.resolve((message as ReadyMessage).port);
    },
    onRestart: (died) => {
      // Whoever waits for the first start goes on waiting; after it, there is a new one to wait for.
      if (isReady) ready = Promise.withResolvers();
      isReady = false;
      onRestart(died);
    },
  });
  return { name, process: child, ready: () => ready.promise };
}
