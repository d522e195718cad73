/** Runs merge and split as a worker's slot does, on files of a folder that goes with the test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import { readResultFile } from "../../workers/operations/copy-pages/output-file.ts";
import { type MergeParams, merge } from "../../workers/operations/merge/merge.ts";
import type { OperationResult, SourceFile } from "../../workers/operations/operation.ts";
import { split } from "../../workers/operations/split/split.ts";
import type { SplitParams } from "../../workers/operations/split/split-plan.ts";

export type PageOperationResult = { data: OperationResult["data"]; files: Uint8Array[]; paths: string[] };

export async function runMerge(
  t: Test,
  inputs: readonly Uint8Array[],
  pageSize: MergeParams["pageSize"] = "original",
): Promise<PageOperationResult & { file: Uint8Array; path: string }> {
  const { context, sources } = slotWith(t, inputs);
  const result = kept(await merge(sources, { pageSize }, context), context.workDir);
  return { ...result, file: result.files[0] as Uint8Array, path: result.paths[0] as string };
}

export async function runSplit(
  t: Test,
  input: Uint8Array,
  params: SplitParams = { mode: "pages" },
): Promise<PageOperationResult> {
  const { context, sources } = slotWith(t, [input]);
  return kept(await split(sources, params, context), context.workDir);
}

function slotWith(t: Test, inputs: readonly Uint8Array[]) {
  const workDir = mkdtempSync(join(tmpdir(), "page-operation-"));
  t.teardown(() => rmSync(workDir, { recursive: true, force: true }));
  const sources = inputs.map((bytes, index): SourceFile => {
    const path = join(workDir, `input-${index}.pdf`);
    writeFileSync(path, bytes);
    return { path, size: bytes.length };
  });
  return { sources, context: { workDir, signal: new AbortController().signal, progress() {} } };
}

/** The results as files too, for programs outside to witness. */
function kept({ data, files }: OperationResult, folder: string): PageOperationResult {
  const bytes = files.map(readResultFile);
  const paths = bytes.map((file, index) => {
    const path = join(folder, `result-${index}.pdf`);
    writeFileSync(path, file);
    return path;
  });
  return { data, files: bytes, paths };
}
