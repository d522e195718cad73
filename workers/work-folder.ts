import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

export type WorkFolder = {
  /** Lends a private folder, its name beginning with `name`, and removes it with all that is in it. */
  lend: <T>(name: string, use: (path: string) => Promise<T>) => Promise<T>;
  /** Names of the folders that were lent when a process of this host died; they are gone now. */
  abandoned: readonly string[];
  remove: () => Promise<void>;
};

/** This process's own folder below `<dataDir>/work`. What dead processes of this host left there is removed. */
export async function openWorkFolder(dataDir: string): Promise<WorkFolder> {
  const shared = join(dataDir, "work");
  await mkdir(shared, { recursive: true, mode: 0o700 });
  const abandoned: string[] = [];
  for (const name of (await readdir(shared)).filter(isOfDeadProcess)) {
    const lent = await readdir(join(shared, name)).catch(() => []);
    abandoned.push(...lent.map((folder) => folder.slice(0, folder.lastIndexOf("-"))));
    await rm(join(shared, name), { recursive: true, force: true });
  }
  const own = join(shared, `${hostname()}.${process.pid}.${randomBytes(4).toString("hex")}`);
  await mkdir(own, { mode: 0o700 });
  return {
    abandoned,
    async lend(name, use) {
      const path = await mkdtemp(join(own, `${name}-`));
      try {
        return await use(path);
      } finally {
        await rm(path, { recursive: true, force: true });
      }
    },
    remove: () => rm(own, { recursive: true, force: true }),
  };
}

/** `<host>.<pid>.<random>`. A folder of our own pid is of a process before us: containers count from 1 each time. */
function isOfDeadProcess(name: string): boolean {
  const [, host, pid] = /^(.*)\.(\d+)\.[0-9a-f]+$/.exec(name) ?? [];
  if (host !== hostname()) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
