/**
 * Compression against Ghostscript and qpdf over a folder of real files: CORPUS_DIR/{pdf.js,sample-files,ocrmypdf},
 * files over 100 KB, level medium. Prints total sizes, median times and whatever got lost.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openPdf } from "../../platform/pdf/open-pdf.ts";
import { compress } from "../../workers/operations/compress/compress.ts";
import { documentFacts, lostFact } from "../../workers/operations/compress/document-facts.ts";
import { documentTraits } from "../../workers/operations/compress/document-traits.ts";

const folders = ["pdf.js", "sample-files", "ocrmypdf"];
const minBytes = 100_000;
const ghostscript = ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook"];
const qpdf = ["--object-streams=generate", "--recompress-flate", "--compression-level=9"];

type Row = {
  file: string;
  size: number;
  ours: { bytes: number; ms: number; method: string };
  gs: { bytes: number; ms: number; kept: boolean };
  qpdf: { bytes: number };
  mayBeRebuilt: boolean;
  lost: string | undefined;
};

const corpus = process.env.CORPUS_DIR;
if (corpus === undefined || !existsSync(corpus)) {
  console.log(
    "compress: CORPUS_DIR is missing; set it to the folder that holds pdf.js, sample-files and ocrmypdf",
  );
} else {
  const scratch = mkdtempSync(join(tmpdir(), "bench-compress-"));
  const rows: Row[] = [];
  for (const file of largeFiles(corpus)) {
    const row = await measure(file, scratch);
    if (row) rows.push(row);
    if (row && process.argv.includes("--each")) console.log(oneLine(row));
  }
  report(rows);
  rmSync(scratch, { recursive: true });
}

function largeFiles(root: string): string[] {
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  );
  return all.filter((path) => path.endsWith(".pdf") && statSync(path).size > minBytes);
}

async function measure(file: string, scratch: string): Promise<Row | undefined> {
  const size = statSync(file).size;
  const [gsOut, qpdfOut, ourOut] = ["gs.pdf", "qpdf.pdf", "ours.pdf"].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  const gsMs = timed(() =>
    spawnSync("gs", [...ghostscript, `-sOutputFile=${gsOut}`, file], { timeout: 60_000 }),
  );
  spawnSync("qpdf", [...qpdf, file, qpdfOut], { timeout: 60_000 });
  const workDir = mkdtempSync(join(scratch, "work-"));
  const context = { workDir, signal: AbortSignal.timeout(120_000), progress() {} };
  const started = performance.now();
  const params = { level: "medium", allowBreakingSignatures: true } as const;
  const result = await compress([{ path: file, size }], params, context).catch((fault: { code?: string }) => {
    console.log(`${basename(file)}: ${fault.code ?? fault}`);
    return undefined;
  });
  if (result === undefined) return undefined;
  const ms = performance.now() - started;
  const bytes = result.files[0] as Uint8Array;
  writeFileSync(ourOut, bytes);
  const traits = documentTraits(await openPdf(readFileSync(file)));
  return {
    file: basename(file),
    size,
    ours: { bytes: bytes.length, ms, method: String(result.data.method) },
    gs: { bytes: sizeOf(gsOut), ms: gsMs, kept: (await loss(file, gsOut, ["fields", "tags"])) === undefined },
    qpdf: { bytes: sizeOf(qpdfOut) },
    mayBeRebuilt: traits.mayBeRebuilt,
    lost: await loss(file, ourOut),
  };
}

/** What is missing in `after`: a fact of the document (of the given subjects alone, if any), or a word as pdftotext reads it. */
async function loss(
  before: string,
  after: string,
  subjects?: readonly string[],
): Promise<string | undefined> {
  const [first, second] = await Promise.all([before, after].map(factsOf));
  if (first === undefined || second === undefined) return "does not open";
  if (subjects === undefined) {
    const fact = lostFact(first, second);
    if (fact) return fact;
  } else if (first.pages.length !== second.pages.length) return "pages";
  else {
    const differs = subjects.find((key) => String(first.lines.get(key)) !== String(second.lines.get(key)));
    if (differs) return differs;
  }
  return words(before) === words(after) ? undefined : "words";
}

async function factsOf(path: string) {
  const opened = await openPdf(readFileSync(path)).catch(() => undefined);
  return opened && documentFacts(opened);
}

function words(path: string): string {
  const text = spawnSync("pdftotext", ["-q", path, "-"], {
    maxBuffer: 2 ** 30,
    timeout: 20_000,
  }).stdout.toString();
  return text.split(/\s+/).filter(Boolean).sort().join(" ");
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function report(rows: readonly Row[]): void {
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
    `| median time / gs, ${alone.length} files without that candidate | ${medianRatio(alone)} | 1.0 |`,
  );
  console.log(`| median time / gs, ${rivalled.length} files with it | ${medianRatio(rivalled)} | 1.6 |`);
  console.log(`| files that lost something | ${lossy.length} | 0 |`);
  console.log(`| files that grew | ${larger.length} | 0 |`);
  for (const { file, lost } of lossy) console.log(`lost: ${file}: ${lost}`);
}

function medianRatio(rows: readonly Row[]): string {
  const ratios = rows.map(({ ours, gs }) => ours.ms / gs.ms).sort((a, b) => a - b);
  return (ratios[Math.floor(ratios.length / 2)] ?? 0).toFixed(2);
}

function total(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

function oneLine({ file, size, ours, gs, mayBeRebuilt, lost }: Row): string {
  const times = `${ours.ms.toFixed(0)} ms, gs ${gs.ms.toFixed(0)} ms`;
  return `${file}: ${size} → ${ours.bytes} ${ours.method}, gs ${gs.bytes}${gs.kept ? " kept" : ""}${mayBeRebuilt ? "" : " alone"}; ${times} ${lost ?? ""}`;
}
