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

const ocrPage = z.object({
  page: z.number().int(),
  text: z.string(),
  confidence: z.number().nullable().describe("0 to 100; null for text that was read, not recognised."),
  source: z.enum(["tesseract", "text-layer"]),
  status: z
    .enum(["ok", "timeout", "unreadable"])
    .describe(
      "`timeout`: recognition took over a minute; `unreadable`: the page cannot be drawn or decoded.",
    ),
  reason: z.string().describe("Why the page was read or recognised."),
  angle: z.literal([0, 90, 180, 270]).describe("Degrees clockwise by which it was turned to stand upright."),
  skew: z.number().describe("Degrees by which its lines sloped; straightened before reading."),
  dpi: z.number().nullable().describe("Resolution that was read; null where an image does not say."),
});

export const ocrResult = z.object({
  text: z.string().describe("Texts of the pages, a blank line between them."),
  word_count: z.number().int().describe("Words as Unicode segments them."),
  char_count: z.number().int().describe("Code points."),
  method: z.enum(["tesseract", "text-layer", "mixed"]),
  failed_pages: z.array(z.number().int()).describe("Pages whose text is missing."),
  pages: z.array(ocrPage).optional().describe("For `output_format` `json` and `pdf`."),
  pdf_base64: base64Out
    .optional()
    .describe("For `output_format` `pdf`: the input with an invisible text layer."),
  size: bytes.optional().describe("Of that PDF."),
});

export const languageList = z.object({
  languages: z.array(z.object({ code: z.string(), name: z.string() })),
});
