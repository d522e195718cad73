import { z } from "zod";
import { timestamp } from "./envelope.ts";
import { lineOfText, paragraphs } from "./human-text.ts";
import { box, fieldType, requestStatus, signerStatus } from "./signature-requests.ts";

/** What the signer's page and the gateway say to each other below `/sign/{token}`: the link is the only key. */

const signingField = box.extend({
  id: z.string(),
  type: fieldType,
  label: z.string().nullable(),
  required: z.boolean(),
});
export type SigningField = z.infer<typeof signingField>;

/** `data` of GET /sign/{token}/request. */
export const signingView = z.object({
  title: z.string(),
  message: z.string().nullable(),
  status: requestStatus,
  expires_at: timestamp,
  signer: z.object({
    name: z.string(),
    email: z.string(),
    order: z.number().int(),
    status: signerStatus,
    signed_at: timestamp.nullable(),
  }),
  /** False while earlier signers of an ordered request have not signed, and once nothing can be signed any more. */
  can_sign: z.boolean(),
  pages: z.array(z.object({ page: z.number().int(), width: z.number(), height: z.number() })),
  fields: z.array(signingField),
});
export type SigningView = z.infer<typeof signingView>;

const typedInk = z.object({
  type: z.literal("typed"),
  text: lineOfText(100),
  font: z.string().max(40).nullish().describe("One of the hands that the page offers; the first by default."),
});
const drawnSvg = z.object({ type: z.literal("drawn"), svg: z.string().min(1).max(500_000) });
const drawnPng = z.object({ type: z.literal("drawn"), png_base64: z.string().min(1).max(1_000_000) });
const ink = z.union([typedInk, drawnSvg, drawnPng]);
export type InkInput = z.infer<typeof ink>;

/** Body of POST /sign/{token}/complete. */
export const completeBody = z.object({
  consent: z.literal(true, "must be true: a signature needs the consent to sign electronically"),
  fields: z
    .array(z.object({ id: z.string(), value: z.union([paragraphs(5000), z.boolean()]) }))
    .max(500)
    .default([])
    .describe("Values of text fields (a string) and checkboxes (a boolean)."),
  signature: ink.nullish(),
  initials: ink.nullish(),
  placement: box.nullish().describe("Where the signature goes when the signer has no fields."),
});
export type CompleteBody = z.infer<typeof completeBody>;

/** `data` of POST /sign/{token}/open. */
export const openedData = z.object({ request_status: requestStatus });

/** `data` of POST /sign/{token}/complete. */
export const completedData = z.object({
  status: z.literal("signed"),
  signed_at: timestamp,
  signature_hash: z.string(),
  request_status: requestStatus,
});
export type CompletedData = z.infer<typeof completedData>;
