import { eventTypes } from "../../platform/contracts/event.ts";

/** What the service sends to customers' URLs: OpenAPI's `webhooks`. */
export function eventWebhooks(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: eventOperation(type) }]));
}

function eventOperation(type: string): object {
  const isJob = type.startsWith("pdf.");
  const subject = isJob ? "job_id" : "signature_request_id";
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  });
  return {
    summary: type,
    tags: ["Webhooks"],
    security: [],
    parameters: [
      header("X-Service-Event", "The event's name."),
      header(
        "X-Service-Signature",
        "`sha256=` and the lower-case hex HMAC-SHA256 of the raw body under the secret.",
      ),
      ...(isJob ? [header("X-Service-Job-ID", "The job.")] : []),
      header("webhook-id", "Standard Webhooks: the same on every try."),
      header("webhook-timestamp", "Standard Webhooks: Unix seconds of this try."),
      header("webhook-signature", "Standard Webhooks: `v1,` and base64, one a secret that is in force."),
    ],
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["event", subject, "data", "timestamp"],
            properties: {
              event: { const: type },
              [subject]: { type: "string" },
              data: { type: "object" },
              timestamp: { type: "string", format: "date-time" },
            },
          },
        },
      },
    },
    responses: { "2XX": { description: "Received. Anything else, or nothing within 15 s, is tried again." } },
  };
}
