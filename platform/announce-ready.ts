import type { Logger } from "./log.ts";

/** Sent to the launcher, where there is one, once a service takes work; the gateway with its port. */
export type ReadyMessage = { ready: true; port: number };

/** Says that the service takes work: in the log, and to the launcher that waits for it, whatever is logged. */
export function announceReady(log: Logger, fields: { port?: number } & Record<string, unknown> = {}): void {
  log.info(fields, "ready");
  process.send?.({ ready: true, port: fields.port ?? 0 } satisfies ReadyMessage);
}
