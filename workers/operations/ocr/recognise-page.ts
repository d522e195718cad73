/** Phase two of OCR: one page, read from its picture. */
import { Failure } from "../../../platform/contracts/failures.ts";
import type { OperationContext, SourceFile } from "../operation.ts";
import type { OcrParams, PageToRecognise, RecognisedPage } from "./ocr-phases.ts";
import { EngineLost, EngineTimeout, runInPageEngine } from "./page-engine.ts";
import { unreadPage } from "./unread-page.ts";

const pageTimeoutMs = 60_000;

/**
 * Reads a page that the plan says to recognise. A page over its time bound, or one that cannot be decoded or that
 * no engine survives, is reported in its `status`; what it used of the processor has ended. Throws `too_complex`, or the
 * signal's reason.
 */
export async function recognisePage(
  source: SourceFile,
  page: PageToRecognise,
  { language, outputFormat }: OcrParams,
  { signal, timeoutMs = pageTimeoutMs }: Pick<OperationContext, "signal"> & { timeoutMs?: number },
): Promise<RecognisedPage> {
  const withLayer = outputFormat === "pdf";
  const task = { task: "recognise", path: source.path, page, language, withLayer } as const;
  try {
    return await runInPageEngine(task, { signal, timeoutMs });
  } catch (thrown) {
    if (thrown instanceof EngineTimeout) return unreadPage(page.page, "timeout");
    const undecodable = thrown instanceof Failure && thrown.code === "invalid_image";
    if (thrown instanceof EngineLost || undecodable) return unreadPage(page.page, "unreadable");
    throw thrown;
  }
}
