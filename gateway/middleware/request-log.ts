import { randomBytes } from "node:crypto";
import { trail as trailSchema } from "../../platform/contracts/trail.ts";
import type { Logger } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { newId } from "../../platform/new-id.ts";
import type { Context, Middleware } from "../state.ts";

/** The status under which a call is logged whose client left before the answer, as nginx does. */
const clientGone = 499;
const probes = new Set(["/healthz", "/readyz", "/metrics"]);

/** Gives every request its id and its place in a trace, and writes one line when it has ended. */
export function requestLog(log: Logger, metrics: Metrics): Middleware {
  const seconds = metrics.histogram({
    name: "http_request_duration_seconds",
    help: "From a request's head to the end of its answer.",
    labels: ["method", "route", "status"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  });

  return async function logRequest(context, next) {
    const startedAt = performance.now();
    context.state.requestId = newId("request");
    context.state.trail = {
      requestId: context.state.requestId,
      traceparent: continuedTrace(context.get("traceparent")),
    };
    context.set("X-Request-Id", context.state.requestId);
    context.res.once("close", () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const status = context.res.writableFinished ? context.res.statusCode : clientGone;
      const route = context.state.path ?? "none";
      seconds.observe({ method: context.method, route, status: String(status) }, durationMs / 1000);
      if (!probes.has(context.path)) log.info(lineOf(context, status, durationMs), "request answered");
    });
    await next();
  };
}

function lineOf({ state, method, ip, req }: Context, status: number, durationMs: number) {
  return {
    ...state.trail,
    method,
    route: state.path ?? "none",
    status,
    durationMs,
    code: state.failure,
    accountId: state.caller?.accountId,
    keyId: state.caller?.keyId,
    ip,
    bytesIn: Number(req.headers["content-length"] ?? 0) || undefined,
  };
}

/** The caller's trace goes on with a span of ours; without one a new trace begins (W3C Trace Context §3.2). */
function continuedTrace(given: string): string {
  const parsed = trailSchema.shape.traceparent.safeParse(given || undefined);
  const traceId = parsed.success && parsed.data !== undefined ? parsed.data.slice(3, 35) : undefined;
  return `00-${traceId ?? randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
}
