import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** `npm run bench [name …]`: the benches one after the other, so that each has the machine to itself. */
const names = [
  "compress",
  "merge",
  "split",
  "ocr",
  "jobs",
  "gateway",
  "webhooks",
  "signature-requests",
  "seal",
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(", ")}; there are ${names.join(", ")}.\n`);
  process.exit(2);
}
const failed = (wanted.length > 0 ? wanted : names).filter((name) => {
  process.stdout.write(`\n## ${name}\n\n`);
  const script = join(import.meta.dirname, `${name}.ts`);
  return spawnSync(process.execPath, ["--expose-gc", script], { stdio: "inherit" }).status !== 0;
});
if (failed.length > 0) process.stderr.write(`Ended badly: ${failed.join(", ")}\n`);
process.exit(failed.length === 0 ? 0 : 1);
