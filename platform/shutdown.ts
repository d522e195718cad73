import type { Logger } from "./log.ts";

type Closing = { what: string; close: () => Promise<unknown> | unknown };

export type Shutdown = {
  /** What is opened later is closed earlier. */
  add: (what: string, close: Closing["close"]) => void;
  /** False once the process has been asked to stop: `/readyz` says so and load balancers turn away. */
  isOpen: () => boolean;
  run: (reason: string) => Promise<void>;
};

/** Closes what the service opened, in reverse order, when the process is asked to stop; gives up after `limitMs`. */
export function createShutdown(log: Logger, limitMs = 25_000): Shutdown {
  const closings: Closing[] = [];
  let running: Promise<void> | undefined;

  async function closeAll(reason: string): Promise<void> {
    const tooLate = setTimeout(() => {
      log.error({ reason }, "stopping took too long; gave up");
      process.exit(1);
    }, limitMs);
    tooLate.unref();
    for (const { what, close } of closings.reverse()) {
      try {
        await close();
      } catch (err) {
        log.warn({ err, what }, "could not be closed");
      }
    }
    clearTimeout(tooLate);
    log.info({ reason }, "stopped");
  }

  return {
    add: (what, close) => closings.push({ what, close }),
    isOpen: () => running === undefined,
    run: (reason) => (running ??= closeAll(reason)),
  };
}

/** Stops on SIGINT and SIGTERM, and when the launcher at the other end of our channel is gone. */
export function stopOnSignals(shutdown: Shutdown): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void shutdown.run(signal).then(() => process.exit(0)));
  }
  const orphaned = () => void shutdown.run("launcher is gone").then(() => process.exit(0));
  process.once("disconnect", orphaned);
  // A launcher that was killed while we were loading: the event has been and gone.
  if (process.send !== undefined && !process.connected) orphaned();
}
