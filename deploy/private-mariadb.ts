import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { type Listeners, type PrivateServer, untilItListens } from "./private-nats.ts";
import { supervise, tiedToParent } from "./supervised.ts";

const run = promisify(execFile);

/** Debian puts the server where an ordinary user's PATH does not look. */
const searchPath = `${process.env.PATH ?? ""}:/usr/sbin:/usr/local/sbin`;

/** A MariaDB of our own on a free port of the loopback interface, its data below `folder`, its password known to nobody else. */
export async function startPrivateMariadb(folder: string, listeners: Listeners): Promise<PrivateServer> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await ensureData(folder);
  const password = await ensurePassword(join(folder, "password"));
  const init = join(folder, "init.sql");
  await writeFile(
    init,
    [
      `CREATE OR REPLACE USER 'pdf'@'127.0.0.1' IDENTIFIED BY '${password}';`,
      "GRANT ALL ON *.* TO 'pdf'@'127.0.0.1';",
      `ALTER USER 'root'@'localhost' IDENTIFIED BY '${password}';`,
    ].join("\n"),
    { mode: 0o600 },
  );
  const port = await freePort();
  const { command, args } = tiedToParent("mariadbd", serverArguments(folder, port, init));
  const server = supervise({
    name: "mariadbd",
    command,
    args,
    env: { ...process.env, PATH: searchPath },
    ...listeners,
    graceMs: 20_000,
  });
  await untilItListens(port, "mariadbd");
  return { url: `mysql://pdf:${password}@127.0.0.1:${port}/pdf`, process: server };
}

function serverArguments(folder: string, port: number, init: string): string[] {
  return [
    "--no-defaults",
    `--user=${userInfo().username}`,
    `--datadir=${join(folder, "data")}`,
    `--tmpdir=${folder}`,
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    `--init-file=${init}`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--skip-name-resolve",
    "--character-set-server=utf8mb4",
    "--collation-server=utf8mb4_unicode_520_ci",
    "--default-time-zone=+00:00",
    "--sql-mode=STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY",
    "--innodb-buffer-pool-size=128M",
    "--innodb-log-file-size=48M",
    "--performance-schema=0",
    "--max-connections=200",
    "--skip-log-bin",
  ];
}

/** The system tables, made once: under another name first, so that an interrupted making is not taken for a whole one. */
async function ensureData(folder: string): Promise<void> {
  const data = join(folder, "data");
  if (await exists(data)) return;
  const making = join(folder, "data.making");
  await rm(making, { recursive: true, force: true });
  await run(
    "mariadb-install-db",
    [
      "--no-defaults",
      `--user=${userInfo().username}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
      "--skip-name-resolve",
      `--datadir=${making}`,
      "--innodb-log-file-size=48M",
    ],
    { env: { ...process.env, PATH: searchPath } },
  );
  await rename(making, data);
}

async function ensurePassword(path: string): Promise<string> {
  if (!(await exists(path))) await writeFile(path, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFile(path, "utf8");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
