import { Router } from "@koa/router";
import Koa from "koa";
import { Failure } from "../platform/contracts/failures.ts";
import type { Logger } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { failuresToHttp } from "./middleware/failures-to-http.ts";
import { requestLog } from "./middleware/request-log.ts";
import type { RoutedContext } from "./receive-call.ts";
import type { Route } from "./route.ts";
import type { Middleware, State } from "./state.ts";

type Deps = {
  routes: readonly Route[];
  serveRoute: (route: Route) => (context: RoutedContext) => Promise<void>;
  serviceRoutes: Readonly<Record<string, Middleware>>;
  log: Logger;
  metrics: Metrics;
  trustedProxies: number;
};

/** The gateway as a Koa application: what every request passes, in this order. */
export function createApp(deps: Deps): Koa<State> {
  const { routes, serveRoute, serviceRoutes, log, metrics, trustedProxies } = deps;
  const app = new Koa<State>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  // Koa's own, for an error after the head of an answer was sent: the connection is cut, which the client sees.
  app.on("error", (err, context) => log.warn({ ...context?.state?.trail, err }, "answer broke off"));
  app.use(requestLog(log, metrics));
  app.use(failuresToHttp(log));
  const router = new Router<State>();
  for (const [path, serve] of Object.entries(serviceRoutes)) router.get(path, named(path, serve));
  for (const route of routes) router[route.method](route.path, serveRoute(route));
  app.use(router.routes() as unknown as Middleware);
  app.use(noRoute(router));
  return app;
}

function named(path: string, serve: Middleware): Middleware {
  return (context, next) => {
    context.state.path = path;
    return serve(context, next);
  };
}

/** @throws Failure not_found, or method_not_allowed where the path is known */
function noRoute(router: Router<State>): Middleware {
  return async (context) => {
    const methods = new Set(
      router.match(context.path, context.method).path.flatMap((layer) => layer.methods),
    );
    if (methods.size === 0) throw new Failure("not_found", "There is nothing at this path.");
    const allowed = [...methods].join(", ");
    context.set("Allow", allowed);
    if (context.method === "OPTIONS") {
      context.status = 200;
      context.body = "";
      return;
    }
    throw new Failure("method_not_allowed", `This path takes ${allowed}.`);
  };
}
