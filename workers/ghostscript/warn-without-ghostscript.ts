/** Says at a service's start that one of compression's engines is missing: nothing else would show it. */
import type { Logger } from "../../platform/log.ts";
import { findGhostscript } from "./find-ghostscript.ts";

/** Logs a warning where there is neither the addon nor the program. Never rejects. */
export async function warnWithoutGhostscript(log: Pick<Logger, "warn">): Promise<void> {
  const revision = await findGhostscript().catch(() => undefined);
  if (revision === undefined) {
    log.warn({}, "found no Ghostscript: compression goes on without it; install ghostscript or libgs");
  }
}
