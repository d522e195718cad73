/** Phase one of OCR: what the file is, which of its pages are read and which have to be recognised. */
import { Failure } from "../../../platform/contracts/failures.ts";
import type { OperationContext, SourceFile } from "../operation.ts";
import { modelsOf } from "./language-data.ts";
import type { OcrParams, OcrPlan } from "./ocr-phases.ts";
import { notAPdf } from "./open-in-engine.ts";
import { EngineLost, EngineTimeout, runInPageEngine } from "./page-engine.ts";

const planTimeoutMs = 120_000;

/**
 * Opens and checks the input; the text of pages with real text is in the plan already. Throws `validation_failed`
 * (languages), `invalid_pdf`, `encrypted_pdf`, `invalid_image`, `too_complex` or `processing_timeout`.
 */
export async function planOcr(
  source: SourceFile,
  { language, forceOcr }: OcrParams,
  { signal }: OperationContext,
): Promise<OcrPlan> {
  modelsOf(language);
  const task = { task: "plan", path: source.path, forceOcr } as const;
  try {
    return await runInPageEngine(task, { signal, timeoutMs: planTimeoutMs });
  } catch (thrown) {
    if (thrown instanceof EngineLost) throw Object.assign(notAPdf(), { cause: thrown });
    if (!(thrown instanceof EngineTimeout)) throw thrown;
    const message = "Reading this file's pages took longer than two minutes. Split it, then send the parts.";
    throw new Failure("processing_timeout", message, { cause: thrown });
  }
}
