import type { z } from "zod";
import { type FailureCode, failures } from "../../platform/contracts/failures.ts";
import type { Route } from "../route.ts";
import { requestBodyOf } from "./request-body-of.ts";
import { schemaOf } from "./schema-of.ts";

/** One operation of the document. */
export function operationOf(route: Route): object {
  const { method, path, tag, summary, description, permission } = route;
  const body = requestBodyOf(route);
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    description: [
      description,
      permission === null ? "Needs no key." : `Needs the permission \`${permission}\`.`,
    ]
      .filter((text) => text !== undefined)
      .join("\n\n"),
    ...(permission === null ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(body === null ? {} : { requestBody: body }),
    responses: { ...successesOf(route), ...failuresOf(route) },
  };
}

/** `post /api/v1/signature-requests/:id/cancel` → `postSignatureRequestsCancel`, with `ById` for what is named. */
function operationId(method: string, path: string): string {
  const words = path
    .replace("/api/v1", "")
    .split(/[/.-]/)
    .filter((word) => word !== "");
  const named = words.map((word) => (word.startsWith(":") ? "ById" : word[0]?.toUpperCase() + word.slice(1)));
  return method + named.join("").replaceAll("_", "");
}

function parametersOf({ method, params, query, path, permission }: Route): object[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const inPath = propertiesOf(params);
  const parameters: object[] = names.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: inPath.properties[name] ?? { type: "string" },
  }));
  const inQuery = propertiesOf(query);
  for (const [name, schema] of Object.entries(inQuery.properties))
    parameters.push({ name, in: "query", required: inQuery.required.includes(name), schema });
  if (method === "post" && permission !== null)
    parameters.push({ name: "Idempotency-Key", in: "header", schema: { type: "string", maxLength: 255 } });
  return parameters;
}

function propertiesOf(schema: z.ZodType | undefined) {
  const { properties = {}, required = [] } = schema === undefined ? {} : schemaOf(schema, "input");
  return { properties: properties as Record<string, object>, required: required as string[] };
}

function successesOf({ answers }: Route): Record<string, object> {
  const meanings: Record<string, string> = {
    200: "Done.",
    201: "Made.",
    202: "Accepted: the job, not done yet.",
  };
  return Object.fromEntries(
    Object.entries(answers).map(([status, { schema, example, contentType }]) => {
      const content =
        contentType === undefined
          ? { "application/json": { schema: envelopeOf(schema), ...exampleOf(example) } }
          : { [contentType]: { schema: schemaOf(schema) } };
      return [status, { description: meanings[status], content }];
    }),
  );
}

function envelopeOf(schema: z.ZodType): object {
  return {
    type: "object",
    required: ["success", "data", "request_id"],
    properties: {
      success: { const: true },
      data: schemaOf(schema),
      request_id: { type: "string", description: "Also in the header X-Request-Id." },
    },
  };
}

function exampleOf(example: unknown): object {
  if (example === undefined) return {};
  return { example: { success: true, data: example, request_id: "req_01kb2v0f5w8x3t9q6r7y1n2m4p" } };
}

const ofEveryCall: readonly FailureCode[] = ["internal_error", "unavailable"];
const ofEveryKeyedCall: readonly FailureCode[] = [
  "unauthorized",
  "plan_required",
  "insufficient_permissions",
  "rate_limited",
];
const ofEveryPost: readonly FailureCode[] = [
  "invalid_idempotency_key",
  "idempotency_in_progress",
  "idempotency_mismatch",
];
const ofEveryBody: readonly FailureCode[] = ["invalid_json", "body_too_large", "unsupported_media_type"];

/** Failures by status, each status with the codes that may stand in its body. */
function failuresOf(route: Route): Record<string, object> {
  const codes = new Set<FailureCode>([
    ...ofEveryCall,
    ...(route.permission === null ? [] : ofEveryKeyedCall),
    ...(route.permission !== null && route.method === "post" ? ofEveryPost : []),
    ...(route.body === undefined ? [] : ofEveryBody),
    ...(route.files === undefined ? [] : (["file_too_large"] as const)),
    ...((route.body ?? route.query ?? route.params) ? (["validation_failed"] as const) : []),
    ...(route.path.includes(":") ? (["not_found"] as const) : []),
    ...(route.failures ?? []),
  ]);
  const byStatus = Object.groupBy([...codes], (code) => String(failures[code].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus = []]) => [status, failureResponse(ofStatus)]),
  );
}

function failureResponse(codes: readonly FailureCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Failure" },
            { properties: { error: { properties: { code: { enum: codes } } } } },
          ],
        },
      },
    },
  };
}
