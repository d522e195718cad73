import type { Attempt } from "./attempt.ts";
import type { OcrParams, PagePlan, PageToRecognise, RecognisedPage } from "./operations/ocr/ocr-phases.ts";
import type { OperationResult, SourceFile } from "./operations/operation.ts";
import type { PdfThreads } from "./pdf-threads.ts";

type OcrOrder = { source: SourceFile; params: OcrParams; workDir: string };

/**
 * Recognises the pages of one job in up to `lanes` slots at once, as they are free for it, and puts them together in
 * their order.
 */
export async function runOcr(
  threads: PdfThreads,
  attempt: Attempt,
  { source, params, workDir }: OcrOrder,
  lanes: number,
): Promise<OperationResult> {
  const bounds = { workDir, signal: attempt.signal };
  const plan = await attempt.inSlot(() => threads.run("planOcr", { source, params }, bounds));
  const waiting = plan.pages.filter(isToRecognise);
  const recognised: RecognisedPage[] = [];
  const tellProgress = () => {
    attempt.progress = { done: plan.pages.length - waiting.length, total: plan.pages.length };
  };

  async function recogniseOn(): Promise<void> {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      tellProgress();
      const step = { source, params, page };
      recognised.push(await attempt.inSlot(() => threads.run("recognisePage", step, bounds)));
    }
  }

  tellProgress();
  await Promise.allSettled(Array.from({ length: lanes }, () => recogniseOn().catch(attempt.stop)));
  attempt.signal.throwIfAborted();
  const pages = { plan, recognised };
  return attempt.inSlot(() => threads.run("assembleOcr", { source, params, pages }, bounds));
}

function isToRecognise(page: PagePlan): page is PageToRecognise {
  return page.decision === "recognise";
}
