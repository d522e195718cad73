import type { ResultData } from "../../platform/contracts/result-data.ts";

/**
 * What every PDF operation looks like: files on the slot's own disk and parameters in, result data and files out.
 * An operation throws a `Failure` for whatever the caller can understand; anything else is a fault of ours.
 */

/** An input file. It is never modified, and the path is trusted to stay for the whole operation. */
export type SourceFile = { path: string; size: number };

/** What an operation may use besides its arguments. */
export type OperationContext = {
  /** A private folder on local disk, removed after the attempt whatever happened. */
  workDir: string;
  /** Aborted on cancellation and when the time bound is over: stop, leave no child running. */
  signal: AbortSignal;
  /** Pages done of pages to do. Cheap; may be called often. */
  progress: (done: number, total: number) => void;
};

/** A mark `{$file: 0}` in `data` stands for the bytes of `files[0]`. */
export type OperationResult = { data: ResultData; files: readonly ResultFile[] };

/** A result in memory, or, where it may be too large for that, a file in the attempt's `workDir`. */
export type ResultFile = Uint8Array | SourceFile;

export type Operation<Params> = (
  sources: readonly SourceFile[],
  params: Params,
  context: OperationContext,
) => Promise<OperationResult>;
