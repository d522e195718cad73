import type { Bus, Taken } from "../platform/bus.ts";
import { jobHeartbeat } from "../platform/contracts/pdf-job.ts";
import type { Logger } from "../platform/log.ts";
import { repeat } from "../platform/repeat.ts";
import type { Attempt } from "./attempt.ts";

const beatEveryMs = 3000;

/**
 * Says every few seconds that the attempt lives, to the stream and to the gateway, and how far it is; stops it when it
 * may not go on. Returns how to end that.
 */
export function keepAlive(
  bus: Bus,
  taken: Taken<unknown>,
  attempt: Attempt,
  log: Logger,
): () => Promise<void> {
  async function beat(): Promise<void> {
    taken.working();
    const { jobId, number, progress } = attempt;
    const { goOn } = await bus.ask(
      jobHeartbeat,
      { jobId, attempt: number, progress },
      { trail: taken.trail },
    );
    if (!goOn) attempt.stop("superseded");
  }
  // Nobody answering is no reason to stop: the result is asked for later.
  const beating = repeat(beat, beatEveryMs, (err) =>
    log.warn({ err, jobId: attempt.jobId }, "heartbeat unheard"),
  );
  return beating.stop;
}
