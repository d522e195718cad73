import { z } from "zod";
import { signerId } from "../ids.ts";
import { timestamp } from "./envelope.ts";

/** What the signer's page and the gateway say to each other below `/sign/{token}`: the link is the only key. */

export const fieldTypes = ["signature", "initials", "date", "name", "email", "text", "checkbox"] as const;

/** Points from the top left of the page as a reader shows it; pages from 1. */
export const placement = z.object({
  page: z.number().int().min(1),
  x: z.number().min(0),
  y: z.number().min(0),
  width: z.number().positive(),
  height: z.number().positive(),
});

export const signPageField = z.object({
  id: z.string(),
  type: z.enum(fieldTypes),
  ...placement.shape,
  label: z.string().nullable(),
  required: z.boolean(),
});
export type SignPageField = z.infer<typeof signPageField>;

/** `data` of GET /sign/{token}/request. */
export const signPageRequest = z.object({
  title: z.string(),
  message: z.string().nullable(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled", "expired"]),
  expires_at: timestamp,
  signer: z.object({
    id: signerId,
    name: z.string(),
    email: z.string(),
    order: z.number().int(),
    status: z.enum(["pending", "signed"]),
    signed_at: timestamp.nullable(),
  }),
  /** False while earlier signers of an ordered request have not signed, and once nothing can be signed any more. */
  can_sign: z.boolean(),
  pages: z.array(z.object({ page: z.number().int(), width: z.number(), height: z.number() })),
  fields: z.array(signPageField),
});
export type SignPageRequest = z.infer<typeof signPageRequest>;

const typedInk = z.object({
  type: z.literal("typed"),
  text: z.string().trim().min(1).max(100),
  /** One of the hands that the page offers; the first when left out. */
  font: z.string().max(40).optional(),
});
const drawnSvg = z.object({ type: z.literal("drawn"), svg: z.string().min(1).max(500_000) });
const drawnPng = z.object({ type: z.literal("drawn"), png_base64: z.string().min(1).max(1_000_000) });
export const signatureInk = z.union([typedInk, drawnSvg, drawnPng]);
export type SignatureInk = z.infer<typeof signatureInk>;

/** Body of POST /sign/{token}/complete. */
export const completeSigning = z.object({
  consent: z.literal(true, "must be true: a signature needs the consent to sign electronically"),
  fields: z
    .array(z.object({ id: z.string(), value: z.union([z.string().max(5000), z.boolean()]) }))
    .max(500)
    .default([]),
  signature: signatureInk.optional(),
  initials: signatureInk.optional(),
  /** Where the signature goes when the signer has no fields. */
  placement: placement.optional(),
});
export type CompleteSigning = z.infer<typeof completeSigning>;

/** `data` of POST /sign/{token}/complete. */
export const signingCompleted = z.object({
  status: z.literal("signed"),
  signed_at: timestamp,
  signature_hash: z.string(),
  request_status: signPageRequest.shape.status,
});
export type SigningCompleted = z.infer<typeof signingCompleted>;
