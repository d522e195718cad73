import { Failure } from "../platform/contracts/failures.ts";

/** Codes with which mysql2 and the system say that the server cannot be reached, or went away meanwhile. */
const downCodes = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "PROTOCOL_CONNECTION_LOST",
  "ER_SERVER_SHUTDOWN",
  "ER_CON_COUNT_ERROR",
];

/**
 * Tells a database that is down from a fault of ours: the caller may try again soon.
 * @returns a Failure `unavailable`, or what was thrown
 */
export function asUnavailable(thrown: unknown): unknown {
  const { code, name } = thrown as { code?: string; name?: string };
  if (thrown instanceof Failure || !(downCodes.includes(code ?? "") || name === "KnexTimeoutError"))
    return thrown;
  return new Failure("unavailable", "The service cannot reach its database. Try again shortly.", {
    cause: thrown,
    retryAfterSeconds: 5,
  });
}
