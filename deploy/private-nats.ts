import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { type Supervised, supervise, tiedToParent } from "./supervised.ts";

export type PrivateServer = { url: string; process: Supervised };
export type Listeners = {
  onLine: (line: string) => void;
  onRestart: Parameters<typeof supervise>[0]["onRestart"];
};

/** A nats-server of our own on a free port of the loopback interface, its store below `folder`. */
export async function startPrivateNats(folder: string, listeners: Listeners): Promise<PrivateServer> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const config = join(folder, "nats.conf");
  await writeFile(
    config,
    [
      `listen: "127.0.0.1:${port}"`,
      "max_payload: 8MB",
      `jetstream { store_dir: ${JSON.stringify(folder)}, max_mem: 64MB, max_file: 4GB }`,
    ].join("\n"),
  );
  const run = tiedToParent("nats-server", ["-c", config]);
  const process = supervise({ name: "nats-server", ...run, ...listeners, graceMs: 5000 });
  await untilItListens(port, "nats-server");
  return { url: `nats://127.0.0.1:${port}`, process };
}

/** Resolves once something accepts connections on the port. */
export async function untilItListens(port: number, what: string, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await accepts(port))) {
    if (Date.now() > deadline) throw new Error(`${what} did not start within ${withinMs / 1000} s`);
    await pause(20);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
  }).finally(() => undefined) as Promise<boolean>;
}
