/** Phase three of OCR: the pages' texts put together, in order, as the API document names the fields. */
import { Failure } from "../../../platform/contracts/failures.ts";
import type { OperationContext, OperationResult, SourceFile } from "../operation.ts";
import { countCharacters, countWords } from "./count-text.ts";
import type { OcrPages, OcrParams, OcrPlan, PagePlan, RecognisedPage } from "./ocr-phases.ts";
import { searchablePdf } from "./searchable-pdf.ts";

/** Throws `invalid_image` or `processing_timeout` when no page could be read at all. */
export async function assembleOcr(
  source: SourceFile,
  { plan, recognised }: OcrPages,
  { outputFormat }: OcrParams,
  context: OperationContext,
): Promise<OperationResult> {
  refuseIfNothingWasRead(plan, recognised);
  const byPage = new Map(recognised.map((page) => [page.page, page]));
  const pages = plan.pages.map((planned) => pageEntry(planned, byPage.get(planned.page)));
  const text = pages.map((page) => page.text).join("\n\n");
  const data = {
    text,
    word_count: countWords(text),
    char_count: countCharacters(text),
    method: methodOf(plan),
    failed_pages: pages.filter(({ status }) => status !== "ok").map(({ page }) => page),
  };
  if (outputFormat === "text") return { data, files: [] };
  if (outputFormat === "json") return { data: { ...data, pages }, files: [] };
  const pdf = await searchablePdf(source, { plan, recognised }, context);
  return { data: { ...data, pages, pdf_base64: { $file: 0 }, size: pdf.length }, files: [pdf] };
}

function methodOf(plan: OcrPlan): "tesseract" | "text-layer" | "mixed" {
  const decisions = new Set(plan.pages.map(({ decision }) => decision));
  if (decisions.size > 1) return "mixed";
  return decisions.has("read") ? "text-layer" : "tesseract";
}

/** `reason` says why the page was read or recognised; `angle` and `skew` in degrees. */
function pageEntry(planned: PagePlan, recognised: RecognisedPage | undefined) {
  const { page, why: reason } = planned;
  if (planned.decision === "read") {
    const rest = { status: "ok", reason, angle: 0, skew: 0, dpi: null };
    return { page, text: planned.text, confidence: null, source: "text-layer", ...rest };
  }
  if (recognised === undefined) throw new Error(`Page ${page} was planned and never recognised`);
  const { text, confidence, status, angle, skew, dpi } = recognised;
  return { page, text, confidence, source: "tesseract", status, reason, angle, skew, dpi };
}

/** One bad page does not lose the others, but a result without any page would pass for an empty document. */
function refuseIfNothingWasRead({ kind, pages }: OcrPlan, recognised: readonly RecognisedPage[]): void {
  if (recognised.length < pages.length || recognised.some(({ status }) => status === "ok")) return;
  if (recognised.some(({ status }) => status === "timeout")) {
    throw new Failure(
      "processing_timeout",
      "No page could be recognised within a minute. Send simpler or smaller pages.",
    );
  }
  if (kind === "pdf")
    throw new Failure("invalid_pdf", "No page of this PDF can be drawn. Save it anew, then send it again.");
  throw new Failure(
    "invalid_image",
    "This image cannot be decoded. Save it anew as PNG, JPEG or TIFF, then send it again.",
  );
}
