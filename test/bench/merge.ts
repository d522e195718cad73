/** Merging against `qpdf --empty --pages`, on the same files in the same run. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { merge } from "../../workers/operations/merge/merge.ts";
import { againstPeer, printRows } from "./against-peer.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-merge-"));
try {
  const make = (kind: string, name: string, amount: number) => {
    const path = join(folder, name);
    execFileSync(process.execPath, [join(import.meta.dirname, "bench-pdf.ts"), kind, path, String(amount)]);
    return path;
  };
  const photos = Array.from({ length: 20 }, (_, index) => make("photos", `photos-${index}.pdf`, 5));
  const books = [make("book", "long.pdf", 3000), make("book", "short.pdf", 111)];
  printRows([
    { name: "20 files of 5 MB", bound: 2, ...(await compare(photos)) },
    { name: "3000 and 111 pages", bound: 2.5, ...(await compare(books)) },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(paths: readonly string[]) {
  const sources = paths.map((path) => ({ path, size: statSync(path).size }));
  const ours = async () => {
    const workDir = mkdtempSync(join(folder, "work-"));
    const signal = new AbortController().signal;
    await merge(sources, { pageSize: "original" }, { workDir, signal, progress() {} });
    rmSync(workDir, { recursive: true });
  };
  const peer = () => execFileSync("qpdf", ["--empty", "--pages", ...paths, "--", join(folder, "peer.pdf")]);
  const times = await againstPeer(ours, peer);
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  return { ...times, notes: `peak ${peakMegabytes} MB, bound 450` };
}
