/** Work that is done again and again, and soon when woken. */
export type Wakeable = { wake: () => void; stop: () => Promise<void> };

/**
 * Does `work` every `everyMs`, and `gatherMs` after `wake`, at once by default; never twice at the same time. What
 * wakes it while it gathers is done in one go. `stop` waits for what is under way. A failure is told and ends nothing.
 */
export function wakeable(
  work: () => Promise<unknown>,
  everyMs: number,
  failed: (error: unknown) => void,
  gatherMs = 0,
): Wakeable {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let again = false;
  let gathering = false;
  let running: Promise<void> | undefined;

  async function round(): Promise<void> {
    clearTimeout(timer);
    again = false;
    gathering = false;
    await work().then(() => undefined, failed);
    running = undefined;
    if (stopped) return;
    if (again) wake();
    else timer = setTimeout(run, everyMs);
  }

  function run(): void {
    if (stopped) return;
    if (running === undefined) running = round();
    else again = true;
  }

  function wake(): void {
    if (gatherMs === 0 || running !== undefined) run();
    else if (!gathering && !stopped) {
      gathering = true;
      clearTimeout(timer);
      timer = setTimeout(run, gatherMs);
    }
  }

  timer = setTimeout(run, everyMs);
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
