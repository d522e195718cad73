import type { z } from "zod";
import { failureBody } from "../../platform/contracts/http-api/envelope.ts";
import type { Route } from "../route.ts";
import { eventWebhooks } from "./event-webhooks.ts";
import { operationOf } from "./operation-of.ts";
import { schemaOf } from "./schema-of.ts";

const about = `PDF operations and electronic signatures over HTTP.

Every path needs \`Authorization: Bearer <API_KEY>\` unless it says otherwise. Successful answers are
\`{"success": true, "data": …, "request_id": …}\`, failures \`{"success": false, "error": {"code", "message", "details"?}, "request_id"}\`.
Unknown fields of a body are ignored. Calls are limited to 60 a minute an account; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` tell what is left. Every POST takes an \`Idempotency-Key\`: for 24 hours the same call under the same key gets the
first answer again, with \`Idempotent-Replayed: true\`. Operations on files take \`multipart/form-data\` as well as JSON. Changes within
/api/v1 are additive.`;

/** The API as OpenAPI 3.1, from the same routes and schemas that serve it. */
export function openapiDocument(routes: readonly Route[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "PDF processing and e-signature API", version: "1.0.0", description: about },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: eventWebhooks(),
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "A secret key, sk_live_…" } },
      schemas: { Failure: schemaOf(failureBody as z.ZodType) },
    },
  };
}
