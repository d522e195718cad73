import { z } from "zod";
import { signatureRequestId } from "../ids.ts";
import { pageQuery, pagination, timestamp } from "./envelope.ts";
import { oneSource, pdfInput } from "./file-input.ts";
import { lineOfText, paragraphs } from "./human-text.ts";

export const requestStatuses = ["pending", "in_progress", "completed", "cancelled", "expired"] as const;
export const requestStatus = z.enum(requestStatuses);
export type RequestStatus = z.infer<typeof requestStatus>;

export const signerStatus = z.enum(["pending", "signed"]);

export const fieldTypes = ["signature", "initials", "date", "name", "email", "text", "checkbox"] as const;
export const fieldType = z.enum(fieldTypes);

export const maxSigners = 50;
export const maxFields = 500;
const maxMetadataBytes = 16 * 1024;

const points = z.number().min(-1_000_000).max(1_000_000);

/** In PDF points (1/72 inch) from the top left of the page as a reader shows it, y downward. */
export const box = z.object({
  page: z.number().int().min(1, "pages are numbered from 1"),
  x: points,
  y: points,
  width: points.positive(),
  height: points.positive(),
});

export const fieldInput = box.extend({
  type: fieldType,
  required: z
    .boolean()
    .nullish()
    .describe("Whether the signer must fill it. Default true, for a checkbox false."),
  label: lineOfText(100).nullish().describe("Shown to the signer beside the field."),
});

export const signerInput = z.object({
  name: lineOfText(255),
  email: z.email("must be an e-mail address").max(254),
  order: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .nullish()
    .describe("Signing order; equal numbers sign in parallel. Default: the place in the list, from 1."),
  fields: z
    .array(fieldInput)
    .max(maxFields)
    .nullish()
    .describe("Without fields the signer places the signature on the page."),
});

/** A JSON object of at most 16 KB. `z.record` would copy `__proto__` as a prototype, so the object is taken as it is. */
const metadata = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be a JSON object",
  )
  .refine((value) => jsonBytes(value) <= maxMetadataBytes, "must not be larger than 16 KB of JSON")
  .meta({
    type: "object",
    description: "Yours; echoed in the request and in webhooks. At most 16 KB of JSON.",
  });

function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch {
    // Nested deeper than the engine can write.
    return Number.POSITIVE_INFINITY;
  }
}

/** What `POST /signature-requests` says beside its PDF. */
export const createRequestFields = z.object({
  title: lineOfText(255).describe("Shown to signers."),
  signers: z
    .array(signerInput)
    .min(1, "needs at least one signer")
    .max(maxSigners, `takes at most ${maxSigners} signers`),
  message: paragraphs(2000).nullish().describe("Your words in the e-mail to the signers."),
  expires_in_days: z.number().int().min(1).max(30).nullish().describe("Default 7."),
  send_emails: z
    .boolean()
    .nullish()
    .describe("Default true. `false` sends no invitations and no completion mails."),
  enforce_order: z
    .boolean()
    .nullish()
    .describe("Default false. `true`: a signer may only sign once all of lower order have."),
  append_audit_page: z
    .boolean()
    .nullish()
    .describe("Default false. `true` appends the audit trail as a page."),
  external_id: lineOfText(255).nullish().describe("Your own id; a filter of the list."),
  metadata: metadata.nullish(),
  webhook_tag: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,50}$/, "may hold 1 to 50 letters, digits, hyphens and underscores")
    .nullish(),
});

const createShape = oneSource("pdf", createRequestFields.extend(pdfInput));
export const createRequestBody = createShape.refine(
  ({ signers }) => signers.reduce((sum, { fields }) => sum + (fields?.length ?? 0), 0) <= maxFields,
  { path: ["signers"], error: `may have at most ${maxFields} fields in all` },
);
export type CreateRequestFields = z.infer<typeof createRequestFields>;

export const listRequestsQuery = pageQuery.extend({
  status: requestStatus.optional(),
  external_id: z.string().min(1).max(255).optional().describe("Exactly this id."),
});

export const signerData = z.object({
  name: z.string(),
  email: z.string(),
  order: z.number().int(),
  status: signerStatus,
  signed_at: timestamp.nullable(),
  signature_hash: z.string().nullable(),
});

const listedRequest = z.object({
  id: signatureRequestId,
  status: requestStatus,
  title: z.string(),
  signers: z.array(signerData),
  external_id: z.string().nullable(),
  webhook_tag: z.string().nullable(),
  enforce_order: z.boolean(),
  created_at: timestamp,
  expires_at: timestamp,
  completed_at: timestamp.nullable(),
  cancelled_at: timestamp.nullable(),
});

export const requestList = z.object({ signature_requests: z.array(listedRequest), pagination });
export type RequestList = z.infer<typeof requestList>;

/** What is reached about a trusted timestamp: B-B has none, B-T one (ETSI EN 319 142-1). */
const padesLevel = z.enum(["B-B", "B-T"]);

export const requestDetail = listedRequest.extend({
  message: z.string().nullable(),
  metadata: metadata.nullable(),
  download_url: z.string().nullable(),
  certificate_url: z.string().nullable(),
  document_sha256: z.string().nullable().describe("Of the sealed PDF, once completed."),
  pades_level: padesLevel.nullable(),
});
export type RequestDetail = z.infer<typeof requestDetail>;

export const createdRequest = requestDetail.extend({
  signers: z.array(
    signerData.extend({ sign_url: z.string().describe("This signer's own link. Shown once.") }),
  ),
});
export type CreatedRequest = z.infer<typeof createdRequest>;

export const cancelledRequest = z.object({
  id: signatureRequestId,
  status: z.literal("cancelled"),
  cancelled_at: timestamp,
});

export const remindedRequest = z.object({
  id: signatureRequestId,
  reminders_sent: z.number().int(),
  reminded_emails: z.array(z.string()),
});

/** One entry of the audit trail; `hash` is over all other members (RFC 8785), `previous_hash` the entry before. */
const auditEvent = z.object({
  sequence: z.number().int(),
  kind: z.string(),
  at: timestamp,
  actor: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  document_sha256: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  previous_hash: z.string(),
  hash: z.string(),
});
export const auditEventList = z.object({ events: z.array(auditEvent), pagination });

export const requestPath = z.object({ id: z.string() });
