import { type Check, readiness } from "../platform/health.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Middleware } from "./state.ts";

type Deps = { checks: Record<string, Check>; isOpen: () => boolean; metrics: Metrics };

/** What operators ask: is it alive, does it take work, and its numbers. Without a key, and not part of the API. */
export function serviceRoutes({ checks, isOpen, metrics }: Deps): Record<string, Middleware> {
  return {
    "/healthz": async (context) => {
      context.body = { alive: true };
    },
    "/readyz": async (context) => {
      const state = await readiness(checks);
      const ready = state.ready && isOpen();
      context.status = ready ? 200 : 503;
      context.body = { ...state, ready };
    },
    "/metrics": async (context) => {
      context.body = await metrics.text();
      context.type = metrics.contentType;
    },
  };
}
