/** Splitting into single pages against `qpdf --split-pages`, on the same file in the same run. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { split } from "../../workers/operations/split/split.ts";
import { againstPeer, printRows } from "./against-peer.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-split-"));
try {
  const path = join(folder, "book.pdf");
  execFileSync(process.execPath, [join(import.meta.dirname, "bench-pdf.ts"), "book", path, "1000"]);
  let ourBytes = 0;
  const ours = async () => {
    const context = { workDir: folder, signal: new AbortController().signal, progress() {} };
    const { files } = await split([{ path, size: statSync(path).size }], { mode: "pages" }, context);
    ourBytes = files.reduce((sum, file) => sum + (file instanceof Uint8Array ? file.length : file.size), 0);
  };
  const parts = join(folder, "peer-%d.pdf");
  const peer = () => execFileSync("qpdf", ["--split-pages", path, parts]);
  const times = await againstPeer(ours, peer);
  const peerBytes = readdirSync(folder)
    .filter((name) => name.startsWith("peer-"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const notes = `bytes ${(ourBytes / peerBytes).toFixed(2)} × the peer's, bound 1.1; peak ${peakMegabytes} MB`;
  printRows([{ name: "1000 pages into 1000", bound: 1.5, notes, ...times }]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
