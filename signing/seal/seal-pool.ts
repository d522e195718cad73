/** The threads that read, draw and seal PDFs, so that none of it holds up the service's own loop. */
import { Piscina } from "piscina";
import { Failure } from "../../platform/contracts/failures.ts";
import type { PlacedValue } from "./placed-value.ts";
import type { InspectedPdf, SealedPdf, SealOrder, TimestampPolicy } from "./seal-order.ts";
import type { SealOutcome, SealResults, SealTask, SealThreadSettings } from "./seal-task.ts";
import type { SigningKey } from "./signing-key.ts";
import type { SealReport } from "./verify-seal.ts";

export type SealPoolOptions = {
  key: SigningKey;
  /** Null: no timestamps, B-B. */
  timestamp: TimestampPolicy | null;
  threads: number;
};

export type SealPool = {
  /**
   * Reads an upload and tells its pages' sizes as a reader shows them.
   * @throws Failure `encrypted_pdf`, `signed_pdf`, `unsupported_pdf` (dynamic XFA), `invalid_pdf`, `too_complex`
   */
  inspectUpload(path: string): Promise<InspectedPdf>;
  /**
   * Whether every value can be drawn in its box as it will be at sealing: fonts, fit, drawing, picture.
   * @throws Failure `validation_failed` with a detail for each value that cannot
   */
  checkValues(values: readonly PlacedValue[]): Promise<void>;
  /**
   * Draws the values, embeds the audit chain and signs, into `order.outputPath`.
   * @throws Failure `unavailable` when a required timestamp cannot be had; `invalid_pdf` for a source beyond repair
   */
  seal(order: SealOrder): Promise<SealedPdf>;
  /**
   * Checks a sealed PDF, and whether this service's key sealed it.
   * @throws Failure `invalid_pdf` for what is no PDF
   */
  verify(path: string): Promise<SealReport>;
  close(): Promise<void>;
};

// What a hostile upload may cost; honest ones of 100 MB take some seconds.
const timeLimitMs = { inspect: 60_000, check: 20_000, seal: 120_000, verify: 60_000 };
const heapMegabytes = 512;

export function createSealPool({ key, timestamp, threads }: SealPoolOptions): SealPool {
  const settings: SealThreadSettings = { key, timestamp };
  const pool = new Piscina<SealTask, SealOutcome<SealResults[SealTask["kind"]]>>({
    filename: new URL("seal-thread.ts", import.meta.url).href,
    workerData: settings,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const run = async <Kind extends SealTask["kind"]>(task: SealTask & { kind: Kind }) => {
    const outcome = await runWithin(pool, task, timeLimitMs[task.kind]);
    if (outcome.ok) return outcome.result as SealResults[Kind];
    const { code, message, details } = outcome.failure;
    throw new Failure(code, message, { cause: outcome.trace, ...(details && { details }) });
  };
  return {
    inspectUpload: (path) => run({ kind: "inspect", path }),
    checkValues: async (values) => {
      await run({ kind: "check", values });
    },
    seal: (order) => run({ kind: "seal", order }),
    verify: (path) => run({ kind: "verify", path }),
    close: async () => {
      // A thread that is ended while it still loads its modules takes the process with it (V8 aborts): wait until
      // each has come so far that it answers.
      await Promise.allSettled(Array.from({ length: threads }, () => run({ kind: "check", values: [] })));
      await pool.close();
    },
  };
}

/** An aborted task ends with its thread, and a thread out of memory with its task: piscina starts another one. */
async function runWithin(
  pool: Piscina<SealTask, SealOutcome<SealResults[SealTask["kind"]]>>,
  task: SealTask,
  limitMs: number,
) {
  try {
    return await pool.run(task, { signal: AbortSignal.timeout(limitMs) });
  } catch (cause) {
    if (task.kind === "seal")
      throw new Failure("unavailable", "Sealing was cut short; it is tried again.", { cause });
    const message = `Reading this took more than ${limitMs / 1000} seconds or ${heapMegabytes} MB, which is over the bound.`;
    throw new Failure("too_complex", message, { cause });
  }
}
