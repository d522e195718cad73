/** The thread of a page engine: does one task after another, keeping the document and the language it has open. */
import { statSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { inspectDocument } from "../inspect/inspect-document.ts";
import { canDetectOrientation, modelsOf, readModel } from "./language-data.ts";
import { openInEngine } from "./open-in-engine.ts";
import type { PageEngineAnswer, PageEngineResult, PageEngineTask } from "./page-engine-tasks.ts";
import { planFile } from "./plan-file.ts";
import { type PageEngineTools, recogniseInEngine } from "./recognise-in-engine.ts";
import { loadTesseract, type Tesseract } from "./tesseract.ts";

// Tesseract's memory only grows, and grows slowly for ever (tesseract.js #1045): a new thread is the one remedy.
const pagesOfAnEngine = 150;
// The same document is asked for page after page; a finished one must not stay in memory.
const keepOpenMs = 3000;

let tesseract: Tesseract | undefined;
let open: { path: string; modified: number; document: PdfiumDocument } | undefined;
let closing: NodeJS.Timeout | undefined;
let pages = 0;

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
    return { ok: true, result, worn: pages >= pagesOfAnEngine };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) return { ok: false, failure: null, cause: String(thrown), worn: true };
    const { code, message, details } = thrown;
    return {
      ok: false,
      failure: { code, message, details },
      cause: String(thrown.cause ?? message),
      worn: false,
    };
  }
}

parentPort?.on("message", async (task: PageEngineTask) => {
  clearTimeout(closing);
  parentPort?.postMessage(await answer(task));
  closing = setTimeout(closeDocument, keepOpenMs).unref();
});
