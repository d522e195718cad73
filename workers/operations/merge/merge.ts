/** Several PDFs as one, in order, losing nothing that a file says of itself. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure } from "../../../platform/contracts/failures.ts";
import { createOutputFile } from "../copy-pages/output-file.ts";
import { openSource, type SourcePdf } from "../copy-pages/source-pdf.ts";
import type { Operation, OperationContext, SourceFile } from "../operation.ts";
import { createMergedDocument } from "./merged-document.ts";
import type { PageSize } from "./page-scale.ts";

export type MergeParams = { pageSize: "original" | PageSize };

// A slot may use 450 MB, and the largest input is 100 MB: results over this are written to disk as they grow.
const resultBytesInMemory = 48 * 2 ** 20;

/**
 * Merges the files in order. Each is opened, copied and let go before the next, so memory follows the largest file
 * and not the sum.
 * @throws Failure of a file that cannot be opened, named as `files[3]`
 */
export const merge: Operation<MergeParams> = async (sources, { pageSize }, context) => {
  const output = createOutputFile(join(context.workDir, "merged.pdf"), resultBytesInMemory);
  try {
    const merged = createMergedDocument(output, pageSize);
    for (const [index, file] of sources.entries()) {
      // A turn of the event loop, for a cancellation to be heard.
      await setImmediate();
      context.signal.throwIfAborted();
      const source = await openNamed(file, index, context);
      nameFailures(index, () => merged.add(source));
      source.release();
      context.progress(index + 1, sources.length);
    }
    const { pageCount } = merged.finish();
    const size = output.size();
    const data = {
      pdf_base64: { $file: 0 },
      files_count: sources.length,
      total_pages: pageCount,
      size,
      method: "structure-merge",
    };
    return { data, files: [output.finish()] };
  } catch (fault) {
    output.discard();
    throw fault;
  }
};

async function openNamed(file: SourceFile, index: number, context: OperationContext): Promise<SourcePdf> {
  try {
    return await openSource(file, context);
  } catch (fault) {
    throw named(fault, index);
  }
}

function nameFailures(index: number, work: () => void) {
  try {
    work();
  } catch (fault) {
    throw named(fault, index);
  }
}

/** The same failure, saying which file it is about: one bad file among twenty must be found. */
function named(fault: unknown, index: number): unknown {
  if (!(fault instanceof Failure)) return fault;
  const path = `files[${index}]`;
  return new Failure(fault.code, `${path}: ${fault.message}`, {
    cause: fault.cause,
    details: [{ path, message: fault.message }],
  });
}
