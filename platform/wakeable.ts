/** Work that is done again and again, and at once when woken. */
export type Wakeable = { wake: () => void; stop: () => Promise<void> };

/**
 * Does `work` every `everyMs`, and without delay after `wake`; never twice at the same time. `stop` waits for what is
 * under way. A failure is told and ends nothing.
 */
export function wakeable(
  work: () => Promise<unknown>,
  everyMs: number,
  failed: (error: unknown) => void,
): Wakeable {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let again = false;
  let running: Promise<void> | undefined;

  async function round(): Promise<void> {
    clearTimeout(timer);
    again = false;
    await work().then(() => undefined, failed);
    running = undefined;
    if (stopped) return;
    if (again) run();
    else timer = setTimeout(run, everyMs);
  }

  function run(): void {
    if (stopped) return;
    if (running === undefined) running = round();
    else again = true;
  }

  timer = setTimeout(run, everyMs);
  return {
    wake: run,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
