import type { Bus } from "../platform/bus.ts";
import { settleJob } from "../platform/contracts/pdf-job.ts";
import type { Logger } from "../platform/log.ts";

/** The name of the folder that an attempt works in. */
export function folderNameOf({ jobId, attempt }: { jobId: string; attempt: number }): string {
  return `${jobId}.${attempt}`;
}

/**
 * Tells the gateway at once that attempts were lost with a process of this host that died: waiting until they are
 * missed would cost their callers half a minute. Where nobody answers, that is what happens.
 */
export async function giveUpAbandoned(bus: Bus, folders: readonly string[], log: Logger): Promise<void> {
  const failure = { code: "internal_error", message: "The work was interrupted. Try again." } as const;
  for (const folder of folders) {
    const [, jobId, attempt] = /^(job_\w+)\.(\d+)$/.exec(folder) ?? [];
    if (jobId === undefined) continue;
    log.warn({ jobId, attempt: Number(attempt) }, "attempt was lost with its process");
    await bus
      .ask(settleJob, { jobId, attempt: Number(attempt), outcome: { ok: false, failure } })
      .catch((err) => log.warn({ err, jobId }, "lost attempt left to be missed"));
  }
}
