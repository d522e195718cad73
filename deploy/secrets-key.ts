import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The key that encrypts secrets at rest, made on the first start: 32 bytes in base64, readable by the owner alone. */
export async function ensureSecretsKey(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, randomBytes(32).toString("base64"), { mode: 0o600, flag: "wx" }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  return readFile(path, "utf8");
}
