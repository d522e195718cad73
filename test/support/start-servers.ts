import { access, cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import { startPrivateMariadb } from "../../deploy/private-mariadb.ts";
import { type PrivateServer, startPrivateNats } from "../../deploy/private-nats.ts";

const quiet = { onLine: () => undefined, onRestart: () => undefined };

/** A folder of the test's own, removed after it. */
export async function ownFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pdf-test-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A nats-server of the test's own. */
export async function startNats(t: Test): Promise<PrivateServer> {
  const server = await startPrivateNats(join(await ownFolder(t), "nats"), quiet);
  t.teardown(() => server.process.stop());
  return server;
}

/** A MariaDB of the test's own, empty. */
export async function startMysql(t: Test): Promise<PrivateServer> {
  const folder = join(await ownFolder(t), "mariadb");
  await layMariadb(folder);
  const server = await startPrivateMariadb(folder, quiet);
  t.teardown(() => server.process.stop());
  return server;
}

/** Fills a folder with a fresh server's data by copying one that was made once on this machine: making takes seconds. */
export async function layMariadb(folder: string): Promise<void> {
  const template = join(tmpdir(), `pdf-test-mariadb-${userInfo().username}-2`);
  if (!(await exists(join(template, "data")))) {
    const making = await mkdtemp(`${template}-`);
    const server = await startPrivateMariadb(making, quiet);
    await server.process.stop();
    // Two test files may make it at once: the second finds the name taken and uses what is there.
    await rename(making, template).catch(() => rm(making, { recursive: true, force: true }));
  }
  await cp(template, folder, { recursive: true, filter: (path) => !/\/(socket|pid)$/.test(path) });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
