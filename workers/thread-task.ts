import type { MessagePort } from "node:worker_threads";
import type { FailureData } from "../platform/contracts/failures.ts";
import type { StepName } from "./operations/operations.ts";

/** What a slot's thread is given. `port` carries `FromThread` out, and any message in says: stop. */
export type ThreadTask = { step: StepName; input: unknown; workDir: string; port: MessagePort };

export type FromThread =
  /** Which thread has begun, so that its memory can be watched. */
  { threadId: number } | { done: number; total: number };

/** A thread returns what happened: an error would arrive without its class and code. */
export type ThreadOutcome =
  | { ok: true; value: unknown }
  /** `cause`: for our log, of what was no `Failure`. */
  | { ok: false; failure: FailureData; cause: string | null };
