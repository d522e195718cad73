/**
 * Does something again and again, each time `everyMs` after the last ended. `stop` waits for the one under way.
 * A failure is told and does not end the repeating.
 */
export function repeat(work: () => Promise<unknown>, everyMs: number, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();

  function plan(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      underWay = work()
        .then(() => undefined, failed)
        .then(plan);
    }, everyMs);
  }

  plan();
  return {
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
