import type { BlobStore } from "../platform/blob-store.ts";
import type { Bus } from "../platform/bus.ts";
import type { SafeFetch } from "../platform/safe-fetch.ts";
import { createFetchFiles } from "./ingest/fetch-files.ts";
import type { JobsRoom } from "./jobs/open-jobs.ts";
import { documentRoute } from "./openapi/document-route.ts";
import { lookRoutes } from "./pdf/look-routes.ts";
import { operationRoutes } from "./pdf/operation-routes.ts";
import { createRunOperation } from "./pdf/run-operation.ts";
import type { Route } from "./route.ts";
import { signatureRoutes } from "./sign/signature-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

type Deps = { blobs: BlobStore; bus: Bus; safeFetch: SafeFetch; jobs: JobsRoom; baseUrl: string };

/** The whole public API. */
export function createRoutes({ blobs, bus, safeFetch, jobs, baseUrl }: Deps): Route[] {
  const { checkUrl, download } = safeFetch;
  const fetchFiles = createFetchFiles({ blobs, download });
  const runOperation = createRunOperation({ blobs, fetchFiles, submitJob: jobs.submitJob, checkUrl });
  const routes = [
    ...operationRoutes(runOperation),
    ...lookRoutes({ bus, fetchFiles }),
    ...jobs.routes,
    ...signatureRoutes({ bus, blobs, fetchFiles }),
    ...webhookRoutes({ bus, blobs }),
  ];
  return [...routes, documentRoute(routes, baseUrl)];
}
