import type { BlobStore } from "../../platform/blob-store.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Route } from "../route.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { pullRoutes } from "./pull-routes.ts";
import { registrationRoutes } from "./registration-routes.ts";
import { secretRoutes } from "./secret-routes.ts";

/** Everything below `/api/v1/webhooks`. Fixed paths stand before those with an id in their place. */
export function webhookRoutes(deps: { bus: Bus; blobs: BlobStore }): Route[] {
  return [...secretRoutes(deps), ...deliveryRoutes(deps), ...pullRoutes(deps), ...registrationRoutes(deps)];
}
