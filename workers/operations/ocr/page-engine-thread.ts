/** The thread of a page engine: does one task after another, keeping the document and the language it has open. */
import { statSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { inspectDocument } from "../inspect/inspect-document.ts";
import { boundMemory } from "./bounded-memory.ts";
import { canDetectOrientation, modelsOf, readModel } from "./language-data.ts";
import { openInEngine } from "./open-in-engine.ts";
import type { PageEngineAnswer, PageEngineResult, PageEngineTask } from "./page-engine-tasks.ts";
import { planFile } from "./plan-file.ts";
import { type PageEngineTools, recogniseInEngine } from "./recognise-in-engine.ts";
import { loadTesseract, type Tesseract } from "./tesseract.ts";

// Tesseract's memory only grows, and grows slowly for ever (tesseract.js #1045): a new thread is the one remedy.
const pagesOfAnEngine = 150;
// Three times what the largest honest page and file were seen to need.
const maxMemoryBytes = 2 ** 30;
// An ordinary page needs half of it; what a huge one needed is given back.
const mostKeptBytes = 400 * 2 ** 20;
// The same document is asked for page after page; a finished one must not stay in memory.
const keepOpenMs = 3000;

const memory = boundMemory(maxMemoryBytes);
let tesseract: Tesseract | undefined;
let open: { path: string; modified: number; document: PdfiumDocument } | undefined;
let closing: NodeJS.Timeout | undefined;
let pages = 0;

// Files are read once; what libvips keeps of them would outlive their jobs.
sharp.cache(false);

const tools: PageEngineTools = {
  document: openPath,
  tesseract: tesseractFor,
  readModel: orientationReader(),
};

async function openPath(path: string): Promise<PdfiumDocument> {
  const modified = statSync(path).mtimeMs;
  if (open?.path === path && open.modified === modified) return open.document;
  closeDocument();
  open = { path, modified, document: await openInEngine(path) };
  return open.document;
}

function closeDocument(): void {
  open?.document.close();
  open = undefined;
}

async function tesseractFor(language: string): Promise<Tesseract> {
  if (tesseract?.languages === language) return tesseract;
  // Its whole memory goes with it: the next set is loaded into a fresh one.
  tesseract = undefined;
  tesseract = await loadTesseract(modelsOf(language), language, readModel);
  return tesseract;
}

function orientationReader(): ((model: string) => Uint8Array) | null {
  return canDetectOrientation() ? (model) => readModel(model) : null;
}

async function run(task: PageEngineTask): Promise<PageEngineResult[PageEngineTask["task"]]> {
  if (task.task === "plan") return planFile(task, openPath);
  if (task.task === "inspect") return inspectDocument(task.path, openPath);
  pages += 1;
  return recogniseInEngine(task, tools);
}

async function answer(task: PageEngineTask): Promise<PageEngineAnswer> {
  try {
    const result = await run(task);
    return { ok: true, result, worn: isWorn() };
  } catch (thrown) {
    const cause = String(thrown instanceof Failure ? (thrown.cause ?? thrown) : thrown);
    if (thrown instanceof Failure && !memory.wasRefused()) return failed(thrown, cause, false);
    // One page that needs too much memory is that page's misfortune, not the file's.
    if (memory.wasRefused() && task.task !== "recognise") return failed(tooLarge(), cause, true);
    return { ok: false, failure: null, cause, worn: true };
  }
}

function isWorn(): boolean {
  return pages >= pagesOfAnEngine || memory.wasRefused() || memory.largestBytes() > mostKeptBytes;
}

function failed({ code, message, details }: Failure, cause: string, worn: boolean): PageEngineAnswer {
  return { ok: false, failure: { code, message, details }, cause, worn };
}

function tooLarge(): Failure {
  const message = "Opening this file needs more than 1 GB of memory, which is the bound. Send a simpler one.";
  return new Failure("too_complex", message);
}

parentPort?.on("message", async (task: PageEngineTask) => {
  clearTimeout(closing);
  parentPort?.postMessage(await answer(task));
  closing = setTimeout(closeDocument, keepOpenMs).unref();
});
