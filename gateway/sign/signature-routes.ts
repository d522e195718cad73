import { join } from "node:path";
import type { Route } from "../route.ts";
import { documentRoutes } from "../signature-requests/document-routes.ts";
import { type RequestRouteDeps, requestRoutes } from "../signature-requests/request-routes.ts";
import { createCountLinkCall, type LinkLimits, linkLimits } from "./link-limit.ts";
import { linkRoutes } from "./link-routes.ts";
import { openPageFiles } from "./page-files.ts";
import { pageRoutes } from "./page-routes.ts";

/** Made from signing/page during set-up. */
const builtPage = join(import.meta.dirname, "../../signing/page/built");

/** All about signatures: the account's side and the signer's. */
export function signatureRoutes(deps: RequestRouteDeps & { limits?: LinkLimits }): Route[] {
  const countLinkCall = createCountLinkCall(deps.limits ?? linkLimits);
  return [
    // Before the routes of one request: their paths would be taken for its id.
    ...documentRoutes(deps),
    ...requestRoutes(deps),
    ...linkRoutes({ ...deps, countLinkCall }),
    ...pageRoutes({ pageFile: openPageFiles(builtPage) }),
  ];
}
