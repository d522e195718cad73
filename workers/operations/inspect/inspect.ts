import { Failure } from "../../../platform/contracts/failures.ts";
import type { InspectData } from "../../../platform/contracts/pdf-inspect.ts";
import { notAPdf } from "../ocr/open-in-engine.ts";
import { EngineLost, EngineTimeout, runInPageEngine } from "../ocr/page-engine.ts";
import type { OperationContext, SourceFile } from "../operation.ts";

const inspectTimeoutMs = 30_000;

/**
 * What a caller wants to know of a PDF before the other operations. Changes nothing and makes no file. Throws
 * `invalid_pdf` or `processing_timeout`; a file locked with a password is an answer.
 */
export async function inspect(
  source: SourceFile,
  { signal }: Pick<OperationContext, "signal">,
): Promise<InspectData> {
  try {
    return await runInPageEngine(
      { task: "inspect", path: source.path },
      { signal, timeoutMs: inspectTimeoutMs },
    );
  } catch (thrown) {
    if (thrown instanceof EngineLost) throw Object.assign(notAPdf(), { cause: thrown });
    if (!(thrown instanceof EngineTimeout)) throw thrown;
    const message = "Looking this PDF over took longer than 30 seconds. Split it, then send the parts.";
    throw new Failure("processing_timeout", message, { cause: thrown });
  }
}
