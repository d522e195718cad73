import { z } from "zod";
import { blobRef } from "./blob.ts";
import { defineRequest } from "./request.ts";

/** What the author allows a reader's user (ISO 32000-1 table 22). */
const permissions = z.object({
  print: z.boolean(),
  modify: z.boolean(),
  copy: z.boolean(),
  annotate: z.boolean(),
  fill_forms: z.boolean(),
  assemble: z.boolean(),
});

const inspectedPage = z.object({
  page: z.number().int(),
  width: z.number().describe("Points as a reader shows the page: crop box, rotation and user unit applied."),
  height: z.number(),
  rotation: z.literal([0, 90, 180, 270]),
  content: z
    .enum(["text", "scan", "drawing", "blank", "unreadable"])
    .describe("`text` is read by OCR; `scan` is recognised, having images; `drawing` too, having none."),
  reason: z.string().describe("Why it is taken for that."),
  characters: z.number().int(),
  images: z.number().int(),
});

/** What inspection tells of a PDF, as the API names it. All but the first four are null when a password is needed. */
export const inspectData = z.object({
  file_size: z.number().int(),
  pdf_version: z.string().nullable(),
  page_count: z.number().int().nullable(),
  encryption: z
    .object({ password_required: z.boolean(), permissions: permissions.nullable() })
    .nullable()
    .describe("Null when the file is not encrypted."),
  signatures: z.number().int().nullable().describe("Signature fields that carry a value."),
  form: z.enum(["none", "acroform", "static-xfa", "dynamic-xfa"]).nullable(),
  form_fields: z.number().int().nullable().describe("Field widgets on the pages."),
  tagged: z.boolean().nullable(),
  pdf_a: z
    .string()
    .nullable()
    .describe("The part and level that the file claims, `2b`; nobody has validated it."),
  attachments: z.number().int().nullable(),
  scripts: z.number().int().nullable(),
  fonts: z
    .array(z.object({ name: z.string(), embedded: z.boolean() }))
    .readonly()
    .nullable(),
  images: z.number().int().nullable(),
  pages: z.array(inspectedPage).readonly().nullable(),
  pages_omitted: z.number().int().describe("Pages beyond those in `pages`, of a very long document."),
});
export type InspectData = z.infer<typeof inspectData>;

/** Asked of any worker, which answers at once or not at all: looking a PDF over makes no job. */
export const inspectPdf = defineRequest("pdf-inspect", z.object({ blob: blobRef }), inspectData);
