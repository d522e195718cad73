import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

export type WorkFolder = {
  /** Lends a private folder to `use`, and removes it with all that is in it. */
  lend: <T>(use: (path: string) => Promise<T>) => Promise<T>;
  remove: () => Promise<void>;
};

/** This process's own folder below `<dataDir>/work`. What processes of this host that died left there is removed. */
export async function openWorkFolder(dataDir: string): Promise<WorkFolder> {
  const shared = join(dataDir, "work");
  const own = join(shared, `${hostname()}.${process.pid}`);
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(shared)) {
    if (isDead(name)) await rm(join(shared, name), { recursive: true, force: true });
  }
  return {
    async lend(use) {
      const path = await mkdtemp(join(own, "attempt-"));
      try {
        return await use(path);
      } finally {
        await rm(path, { recursive: true, force: true });
      }
    },
    remove: () => rm(own, { recursive: true, force: true }),
  };
}

function isDead(name: string): boolean {
  const at = name.lastIndexOf(".");
  if (name.slice(0, at) !== hostname()) return false;
  try {
    process.kill(Number(name.slice(at + 1)), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
