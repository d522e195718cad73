/**
 * Compression against Ghostscript and qpdf over a folder of real files: CORPUS_DIR/{pdf.js,sample-files,ocrmypdf},
 * files over 100 KB, level medium, and over 100 MB of photos made here. Prints total sizes, median times and whatever
 * got lost. Times are given by the clock and in processor seconds of every process and thread: Ghostscript uses one core.
 * `--each` prints a line a file as well; any other argument takes only the files with that in their name.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPdfThreads } from "../../workers/pdf-threads.ts";
import { type CompressRow, compressRow } from "./compress-row.ts";
import { photoAlbum } from "./photo-album.ts";

const folders = ["pdf.js", "sample-files", "ocrmypdf"];
const minBytes = 100_000;
const albumBytes = 100 * 1000 * 1000;

const [each, name] = [
  process.argv.includes("--each"),
  process.argv.slice(2).find((argument) => !argument.startsWith("--")),
];
const corpus = process.env.CORPUS_DIR;
if (corpus === undefined || !existsSync(corpus)) {
  console.log(
    "compress: CORPUS_DIR is missing; set it to the folder that holds pdf.js, sample-files and ocrmypdf",
  );
} else {
  const scratch = mkdtempSync(join(tmpdir(), "bench-compress-"));
  const threads = createPdfThreads({ count: 1, memoryMegabytes: 1024, preload: ["compress"] });
  const measure = async (file: string) => compressRow(threads, file, scratch);
  await measureAll(corpus, measure);
  if (name === undefined || name === "album") await measureAlbum(join(scratch, "album.pdf"), measure);
  await threads.close();
  rmSync(scratch, { recursive: true });
}

type Measure = (file: string) => Promise<CompressRow | string>;

async function measureAll(root: string, measure: Measure): Promise<void> {
  const rows: CompressRow[] = [];
  for (const file of largeFiles(root)) {
    const row = await measure(file);
    if (typeof row !== "string") rows.push(row);
    if (typeof row === "string") console.log(`${file.slice(root.length + 1)}: ${row}`);
    else if (each) console.log(oneLine(row));
  }
  report(rows);
}

async function measureAlbum(path: string, measure: Measure): Promise<void> {
  writeFileSync(path, await photoAlbum(albumBytes));
  const row = await measure(path);
  if (typeof row === "string") return console.log(`100 MB of photos: ${row}`);
  console.log(`| 100 MB of photos, time / gs | ${ratiosOf([row])} | 0.7 |`);
  console.log(oneLine(row));
}

function largeFiles(root: string): string[] {
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((entry) => join(root, folder, entry)),
  );
  return all.filter(
    (path) => path.endsWith(".pdf") && statSync(path).size > minBytes && path.includes(name ?? ""),
  );
}

function report(rows: readonly CompressRow[]): void {
  const fair = rows.filter(({ gs }) => gs.kept && gs.bytes > 0);
  const againstGs =
    total(fair, ({ ours }) => ours.bytes) / total(fair, ({ size, gs }) => Math.min(size, gs.bytes));
  const withQpdf = rows.filter(({ qpdf: other }) => other.bytes > 0);
  const againstQpdf =
    total(withQpdf, ({ ours }) => ours.bytes) / total(withQpdf, ({ qpdf: other }) => other.bytes);
  const [alone, rivalled] = [rows.filter((row) => !row.mayBeRebuilt), rows.filter((row) => row.mayBeRebuilt)];
  const lossy = rows.filter(({ lost }) => lost);
  const larger = rows.filter(({ size, ours }) => ours.bytes > size);
  console.log("| compress, level medium | measured | bound |\n|---|---|---|");
  console.log(`| files over 100 KB | ${rows.length} | |`);
  console.log(
    `| total size / min(input, gs /ebook), ${fair.length} files that gs kept whole | ${againstGs.toFixed(3)} | 0.95 |`,
  );
  console.log(`| total size / qpdf, ${withQpdf.length} files | ${againstQpdf.toFixed(3)} | 0.85 |`);
  console.log(
    `| median time / gs, ${alone.length} files without that candidate | ${ratiosOf(alone)} | 1.0 |`,
  );
  console.log(`| median time / gs, ${rivalled.length} files with it | ${ratiosOf(rivalled)} | 1.6 |`);
  console.log(`| files that lost something | ${lossy.length} | 0 |`);
  console.log(`| files that grew | ${larger.length} | 0 |`);
  for (const { file, lost } of lossy) console.log(`lost: ${file}: ${lost}`);
}

function ratiosOf(rows: readonly CompressRow[]): string {
  const wall = median(rows.map(({ ours, gs }) => ours.wallMs / gs.wallMs));
  const cpu = median(rows.map(({ ours, gs }) => ours.cpuMs / Math.max(10, gs.cpuMs)));
  return `${wall.toFixed(2)} (processor ${cpu.toFixed(2)})`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function total(rows: readonly CompressRow[], of: (row: CompressRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

function oneLine({ file, size, ours, gs, mayBeRebuilt, lost }: CompressRow): string {
  const [our, other] = [ours, gs].map(
    ({ wallMs, cpuMs }) => `${wallMs.toFixed(0)} ms (processor ${cpuMs.toFixed(0)})`,
  );
  return `${file}: ${size} → ${ours.bytes} ${ours.method}, gs ${gs.bytes}${gs.kept ? " kept" : ""}${mayBeRebuilt ? "" : " alone"}; ${our}, gs ${other} ${lost ?? ""}`;
}
