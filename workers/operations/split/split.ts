/** One PDF as several, each with what its own pages need and nothing else. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createOutputFile } from "../copy-pages/output-file.ts";
import { openSource } from "../copy-pages/source-pdf.ts";
import type { Operation, ResultFile, SourceFile } from "../operation.ts";
import { planSplit, type SplitParams } from "./split-plan.ts";
import { indexSource } from "./split-source.ts";
import { writePart } from "./write-part.ts";

// Parts repeat what they share, so together they may be many times the input: beyond this they go to disk.
const partBytesInMemory = 96 * 2 ** 20;
// How often a cancellation is listened for.
const partsPerTurn = 16;

/** @throws Failure of a file that cannot be opened, and `validation_failed` for pages it does not have */
export const split: Operation<SplitParams> = async (sources, params, context) => {
  const source = indexSource(await openSource(sources[0] as SourceFile, context));
  const plan = planSplit(params, source.pages.length);
  const files: ResultFile[] = [];
  const entries = [];
  let bytes = 0;
  for (const [index, pages] of plan.entries()) {
    if (index % partsPerTurn === 0) {
      await setImmediate();
      context.signal.throwIfAborted();
    }
    const name = `part_${index + 1}`;
    const output = createOutputFile(join(context.workDir, `${name}.pdf`), partBytesInMemory - bytes);
    writePart(
      source,
      pages.map((page) => page - 1),
      output,
    );
    const size = output.size();
    bytes += size;
    files.push(output.finish());
    entries.push({ pdf_base64: { $file: index }, pages, page_count: pages.length, size, name });
    context.progress(index + 1, plan.length);
  }
  return {
    data: { original_pages: source.pages.length, files_count: files.length, files: entries },
    files,
  };
};
