import { z } from "zod";

/** What the PDF operations answer: for the OpenAPI document; the data itself is made by the workers. */

const base64Out = z.string().meta({ contentEncoding: "base64", contentMediaType: "application/pdf" });
const bytes = z.number().int().nonnegative();

export const compressResult = z.object({
  pdf_base64: base64Out,
  original_size: bytes.describe("Bytes."),
  compressed_size: bytes.describe("Bytes; never more than `original_size`."),
  savings_percent: z.number().describe("Two decimals; 0 where nothing helped."),
  method: z
    .enum(["images", "structure", "ghostscript", "original"])
    .describe("The way that won; `original` means the input came back byte for byte."),
});

export const mergeResult = z.object({
  pdf_base64: base64Out,
  files_count: z.number().int(),
  total_pages: z.number().int(),
  size: bytes,
  method: z.string(),
});

export const splitResult = z.object({
  original_pages: z.number().int(),
  files_count: z.number().int(),
  files: z.array(
    z.object({
      pdf_base64: base64Out,
      pages: z.array(z.number().int()).describe("Page numbers of the input in this part."),
      page_count: z.number().int(),
      size: bytes,
      name: z.string().meta({ example: "part_1" }),
    }),
  ),
});

export const ocrResult = z.object({
  text: z.string().describe("Texts of the pages, a blank line between them."),
  word_count: z.number().int().describe("Words as Unicode segments them."),
  char_count: z.number().int().describe("Code points."),
  method: z.enum(["tesseract", "text-layer", "mixed"]),
  pages: z
    .array(
      z.object({
        page: z.number().int(),
        text: z.string(),
        confidence: z.number().nullable().describe("0 to 100; null for text that was read, not recognised."),
      }),
    )
    .optional()
    .describe("For `output_format` `json`."),
  pdf_base64: base64Out
    .optional()
    .describe("For `output_format` `pdf`: the input with an invisible text layer."),
});

export const languageList = z.object({
  languages: z.array(z.object({ code: z.string(), name: z.string() })),
});
