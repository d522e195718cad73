/**
 * OCR against the tools on this machine: `tesseract` on one thread with the same data, a page at a time, and
 * `ocrmypdf` on two cores with a whole scan. Run with CORPUS_DIR set for the texts with truth.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { Piscina } from "piscina";
import sharp from "sharp";
import { assembleOcr } from "../../workers/operations/ocr/assemble-ocr.ts";
import { ocr } from "../../workers/operations/ocr/ocr.ts";
import type { OcrParams, RecognisedPage } from "../../workers/operations/ocr/ocr-phases.ts";
import { planOcr } from "../../workers/operations/ocr/plan-ocr.ts";
import { characterErrorPercent } from "./character-errors.ts";
import { drawPages, type TruePage } from "./ocr-pages.ts";

const rounds = 3;
const folder = await mkdtemp(join(tmpdir(), "ocr-bench-"));
const context = { workDir: folder, signal: new AbortController().signal, progress: () => {} };

try {
  const drawn = await drawPages(folder);
  console.table([await scan(), await bornDigital()]);
  console.table(await pages([...drawn, ...(await corpusPages())]));
} finally {
  await rm(folder, { recursive: true });
}

/** CPU seconds and character errors a page, warm, beside the native program's. */
async function pages(all: readonly TruePage[]) {
  const rows = [];
  for (const { name, language, path, truth } of all) {
    await recognise(path, language);
    const [ours, theirs] = [[] as number[], [] as number[]];
    let [ourText, theirText] = ["", ""];
    for (let round = 0; round < rounds; round += 1) {
      const before = process.cpuUsage();
      ourText = await recognise(path, language);
      ours.push(cpuSeconds(before));
      const native = await timed(["tesseract", path, "-", "-l", language]);
      theirs.push(native.cpuSeconds);
      theirText = native.output;
    }
    const [ourErrors, theirErrors] = [ourText, theirText].map((text) => characterErrorPercent(truth, text));
    rows.push({
      page: name,
      "CPU s": round2(median(ours)),
      "tesseract CPU s": round2(median(theirs)),
      ratio: round2(median(ours) / median(theirs)),
      bound: language === "eng" ? "≤ 1.4" : "≤ 2.0",
      "errors %": round2(ourErrors),
      "tesseract errors %": round2(theirErrors),
    });
  }
  return rows;
}

async function recognise(path: string, language: string): Promise<string> {
  const params: OcrParams = { language, outputFormat: "text", forceOcr: false };
  const { data } = await ocr([{ path, size: 0 }], params, context);
  return String(data.text);
}

async function corpusPages(): Promise<TruePage[]> {
  const corpus = process.env.CORPUS_DIR;
  if (corpus === undefined || !existsSync(corpus)) {
    console.log("CORPUS_DIR is not set: the pages with truth in it are left out.");
    return [];
  }
  const list = [
    ["tesseract/8071_093.3B.tif", "tesseract/8071_093.3B.txt", "eng"],
    ["tesseract/8087_054.3B.tif", "tesseract/8087_054.3B.txt", "eng"],
    ["tesseract/phototest.tif", "tesseract/phototest.gold.txt", "eng"],
    ["tesseract/eurotext.tif", "tesseract/eurotext.txt", "eng+deu+fra"],
    ["ocrmypdf/linn.png", "ocrmypdf/linn.txt", "eng"],
  ] as const;
  const pagesOf = list.map(async ([image, text, language]) => {
    const truth = await readFile(join(corpus, text), "utf8");
    return { name: image, language, path: join(corpus, image), truth };
  });
  return Promise.all(pagesOf);
}

/** Ten scanned pages on two slots, searchable PDF and text, beside ocrmypdf. */
async function scan() {
  const path = join(folder, "scan.pdf");
  await writeFile(path, await scannedPages(10));
  const source = { path, size: (await stat(path)).size };
  const params: OcrParams = { language: "eng", outputFormat: "pdf", forceOcr: true };
  const pool = new Piscina({
    filename: new URL("./ocr-page-thread.ts", import.meta.url).href,
    minThreads: 2,
    maxThreads: 2,
  });
  const run = async () => {
    const plan = await planOcr(source, params, context);
    const open = plan.pages.filter((page) => page.decision === "recognise");
    const recognised: RecognisedPage[] = await Promise.all(
      open.map((page) => pool.run({ source, page, params })),
    );
    return assembleOcr(source, { plan, recognised }, params, context);
  };
  const [ours, theirs] = [[] as number[], [] as number[]];
  const out = join(folder, "out");
  const options = [
    "-j2",
    "--force-ocr",
    "--output-type",
    "pdf",
    "--optimize",
    "0",
    "--sidecar",
    `${out}.txt`,
  ];
  await run();
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    ours.push((performance.now() - start) / 1000);
    theirs.push((await timed(["ocrmypdf", ...options, path, `${out}.pdf`])).wallSeconds);
  }
  await pool.destroy();
  const [seconds, peer] = [median(ours), median(theirs)];
  return {
    what: "10-page scan",
    "wall s": round2(seconds),
    "ocrmypdf wall s": round2(peer),
    ratio: round2(seconds / peer),
    bound: "≤ 1.0",
  };
}

async function scannedPages(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const picture = await sharp(join(folder, "eng.png"))
    .toColourspace("b-w")
    .blur(0.6)
    .jpeg({ quality: 85 })
    .toBuffer();
  for (let page = 0; page < count; page += 1) {
    const image = await document.embedJpg(picture);
    document.addPage([595.2, 841.92]).drawImage(image, { width: 595.2, height: 841.92 });
  }
  return document.save();
}

async function bornDigital() {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  for (let number = 1; number <= 300; number += 1) {
    const lines = Array.from(
      { length: 45 },
      (_, line) => `Page ${number}, line ${line}: the quick brown fox jumps over it all.`,
    );
    document
      .addPage([595, 842])
      .drawText(lines.join("\n"), { x: 50, y: 780, size: 11, lineHeight: 15, font });
  }
  const path = join(folder, "digital.pdf");
  await writeFile(path, await document.save());
  const start = performance.now();
  await ocr([{ path, size: 0 }], { language: "eng", outputFormat: "json", forceOcr: false }, context);
  return {
    what: "300 born-digital pages",
    "wall s": round2((performance.now() - start) / 1000),
    bound: "≤ 3 s",
  };
}

/** Runs a program on one thread and reads its own CPU time, which Node does not tell of a child. */
function timed(
  command: readonly string[],
): Promise<{ output: string; cpuSeconds: number; wallSeconds: number }> {
  const script = 'TIMEFORMAT="%U %S %R"; { time "$@" 2>/dev/null; } 2>&3';
  const child = spawn("bash", ["-c", script, "bash", ...command], {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
    env: { ...process.env, OMP_THREAD_LIMIT: "1" },
  });
  const [output, times] = [[] as Buffer[], [] as Buffer[]];
  child.stdio[1]?.on("data", (data: Buffer) => output.push(data));
  child.stdio[3]?.on("data", (data: Buffer) => times.push(data));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      const [user = 0, system = 0, wallSeconds = 0] = Buffer.concat(times)
        .toString()
        .trim()
        .split(" ")
        .map(Number);
      if (code !== 0) return reject(new Error(`${command[0]} ended with ${code}`));
      resolve({ output: Buffer.concat(output).toString(), cpuSeconds: user + system, wallSeconds });
    });
  });
}

function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round2(value: number | undefined): number {
  return Math.round((value ?? Number.NaN) * 100) / 100;
}
