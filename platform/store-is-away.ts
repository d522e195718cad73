import { asFailure, Failure } from "./contracts/failures.ts";

/** Codes with which mysql2, NATS and the file system say that they cannot be reached or written now. */
const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR",
  "ER_CON_COUNT_ERROR",
  "ER_SERVER_SHUTDOWN",
  "ER_LOCK_WAIT_TIMEOUT",
  "ER_LOCK_DEADLOCK",
]);

/** Was an error no fault of the code, but of a store that did not answer? Trying again later may help. */
export function storeIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Knex' own, when no connection was free or could be made in time.
  if (error.name === "KnexTimeoutError") return true;
  // mysql2's mark of an error that ended the connection; one of them has no code.
  if ("fatal" in error && error.fatal === true) return true;
  return "code" in error && typeof error.code === "string" && awayCodes.has(error.code);
}

/** Whatever was thrown, as what a caller is told: `unavailable` for a store that did not answer. */
export function answerableFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure || !storeIsAway(thrown)) return asFailure(thrown);
  return new Failure("unavailable", "A part of the service is not available. Try again shortly.", {
    cause: thrown,
    retryAfterSeconds: 5,
  });
}
