import { asFailure, Failure, failures } from "../../platform/contracts/failures.ts";
import type { Logger } from "../../platform/log.ts";
import { storeIsAway } from "../../platform/store-is-away.ts";
import { discardRest } from "../ingest/discard-rest.ts";
import type { Context, Middleware } from "../state.ts";

/** The only writer of error bodies. */
export function failuresToHttp(log: Logger): Middleware {
  return async function answerFailure(context, next) {
    try {
      await next();
    } catch (thrown) {
      // Nobody is left to read an answer, and what broke was the connection.
      if (context.res.destroyed) return;
      const failure = failureOf(thrown);
      if (failures[failure.code].status >= 500) {
        log.error({ ...context.state.trail, err: failure.cause ?? failure }, "request failed");
      }
      write(context, failure);
    }
  };
}

function failureOf(thrown: unknown): Failure {
  if (!storeIsAway(thrown)) return asFailure(thrown);
  const message = "A part of the service is not reachable right now. Try again in a few seconds.";
  return new Failure("unavailable", message, { cause: thrown, retryAfterSeconds: 5 });
}

function write(context: Context, failure: Failure): void {
  const { code, message, details } = failure;
  context.state.failure = code;
  context.status = failures[code].status;
  if (code === "unauthorized") context.set("WWW-Authenticate", "Bearer");
  const retryAfter = failure.retryAfterSeconds ?? (failures[code].status === 503 ? 5 : undefined);
  if (retryAfter !== undefined) context.set("Retry-After", String(Math.ceil(retryAfter)));
  context.body = {
    success: false,
    error: { code, message, ...(details === undefined ? {} : { details }) },
    request_id: context.state.requestId,
  };
  if (!context.req.complete) {
    context.set("Connection", "close");
    discardRest(context.req);
  }
}
