import { z } from "zod";
import { languageFault, maxOcrLanguages } from "../ocr-languages.ts";
import { fileInput, maxFiles, oneSource, pdfInput } from "./file-input.ts";
import { webhookSecret } from "./webhooks.ts";

/** Public bodies of the PDF operations. Operations on one file take `pdf_base64` or `pdf_url`; OCR says `file_`. */

/** What every operation takes besides. */
const notice = {
  webhook_url: z
    .string()
    .max(2048)
    .nullish()
    .meta({ format: "uri" })
    .describe(
      "Makes the call asynchronous: 202 with the job at once, and the job's event to this URL at its end.",
    ),
  webhook_secret: webhookSecret
    .nullish()
    .describe("Signs that event; without it the account's default secret does."),
};

export const compressBody = oneSource(
  "pdf",
  z.object({
    ...pdfInput,
    level: z
      .enum(["low", "medium", "high"])
      .default("medium")
      .describe(
        "`low` keeps print quality (about 300 dpi), `medium` suits screen and print (150), `high` is smallest (96).",
      ),
    allow_breaking_signatures: z
      .boolean()
      .default(false)
      .describe("Compress a PDF that carries a digital signature although that voids it."),
    ...notice,
  }),
);

export const mergeBody = z.object({
  files: z
    .array(oneSource("pdf", z.object(pdfInput)), { error: `must be a list of 1 to ${maxFiles} files` })
    .min(1, "must hold at least one file")
    .max(maxFiles, `must hold at most ${maxFiles} files`)
    .describe("Merged in this order."),
  page_size: z
    .enum(["original", "A4", "A3", "Letter"])
    .default("original")
    .describe(
      "Other than `original`: each page is scaled to fit, centred, on a page turned to its orientation.",
    ),
  ...notice,
});

const pageNumber = z.number().int().min(1, "pages are numbered from 1");

export const splitOptions = z.object({
  pages: z
    .array(z.array(pageNumber).min(1, "must name at least one page"))
    .min(1, "must hold at least one part")
    .nullish()
    .describe("For `range`: the pages of each part, numbered from 1."),
  num_files: z.number().int().min(1).nullish().describe("For `equal`: how many parts."),
  pages_per_file: z.number().int().min(1).nullish().describe("For `fixed`: pages in each part."),
});
type SplitOptions = z.output<typeof splitOptions>;

/** The option that each mode needs; no other is taken. */
export const optionOfMode = {
  pages: null,
  range: "pages",
  fixed: "pages_per_file",
  equal: "num_files",
} as const satisfies Record<string, keyof SplitOptions | null>;

const splitModes = z.enum(["pages", "range", "fixed", "equal"]);

export const splitBody = oneSource(
  "pdf",
  z.object({
    ...pdfInput,
    mode: splitModes
      .default("pages")
      .describe("`pages`: one file a page; `range`: as listed; `fixed`: N pages each; `equal`: N parts."),
    options: splitOptions.nullish(),
    ...notice,
  }),
).superRefine(({ mode, options }, context) => {
  const needed = optionOfMode[mode];
  const given = Object.entries(options ?? {}).flatMap(([name, value]) => (value == null ? [] : [name]));
  if (needed !== null && !given.includes(needed))
    context.addIssue({ code: "custom", path: ["options", needed], message: `is required for mode ${mode}` });
  for (const name of given.filter((option) => option !== needed))
    context.addIssue({
      code: "custom",
      path: ["options", name],
      message: `is not an option of mode ${mode}`,
    });
});

export const ocrBody = oneSource(
  "file",
  z.object({
    ...fileInput,
    language: z
      .string()
      .default("eng")
      .superRefine((value, context) => {
        const fault = languageFault(value);
        if (fault !== null) context.addIssue({ code: "custom", message: fault });
      })
      .describe(`A code of GET /api/v1/pdf/ocr/languages, or up to ${maxOcrLanguages} joined by \`+\`.`),
    output_format: z
      .enum(["text", "json", "pdf"])
      .default("text")
      .describe("`json` adds the text of each page; `pdf` adds the input with an invisible text layer."),
    force_ocr: z.boolean().default(false).describe("Recognise also pages whose text could be read."),
    ...notice,
  }),
);

export const inspectBody = oneSource("pdf", z.object(pdfInput));
