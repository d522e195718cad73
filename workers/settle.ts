import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "../platform/bus.ts";
import { type PdfOutcome, settleJob } from "../platform/contracts/pdf-job.ts";
import type { Trail } from "../platform/contracts/trail.ts";
import type { Logger } from "../platform/log.ts";
import type { Attempt } from "./attempt.ts";

/** Freezing a large result's event takes the gateway some seconds; asking again while it does is harmless. */
const answerWithinMs = 15_000;
const longestPauseMs = 5000;
const giveUpAfterMs = 10 * 60 * 1000;

/**
 * Tells the gateway what came of an attempt, again and again until it is answered: a finished piece of work is worth
 * waiting out an outage for. False when the attempt was superseded, or could not be settled at all.
 */
export async function settle(
  bus: Bus,
  { jobId, number }: Attempt,
  outcome: PdfOutcome,
  { trail, log, signal }: { trail: Trail; log: Logger; signal: AbortSignal },
): Promise<boolean> {
  const until = performance.now() + giveUpAfterMs;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const question = { jobId, attempt: number, outcome };
      return (await bus.ask(settleJob, question, { trail, timeoutMs: answerWithinMs })).settled;
    } catch (err) {
      log.warn({ ...trail, err, jobId, attempt: number }, "attempt could not be settled yet");
      if (signal.aborted || performance.now() > until) throw err;
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
