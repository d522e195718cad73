import type { z } from "zod";
import type { compressBody, mergeBody, ocrBody, splitBody } from "../../platform/contracts/http-api/pdf.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";

/** What workers are asked to do, from the bodies that ask for it. */

export function compressTask({ level, allow_breaking_signatures }: z.output<typeof compressBody>): PdfTask {
  return { operation: "compress", params: { level, allowBreakingSignatures: allow_breaking_signatures } };
}

export function mergeTask({ page_size }: z.output<typeof mergeBody>): PdfTask {
  return { operation: "merge", params: { pageSize: page_size } };
}

/** The body's schema has seen to it that the mode has its option. */
export function splitTask({ mode, options }: z.output<typeof splitBody>): PdfTask {
  const { pages, pages_per_file: pagesPerFile, num_files: numFiles } = options ?? {};
  if (mode === "range") return { operation: "split", params: { mode, pages: pages ?? [] } };
  if (mode === "fixed") return { operation: "split", params: { mode, pagesPerFile: pagesPerFile ?? 1 } };
  if (mode === "equal") return { operation: "split", params: { mode, numFiles: numFiles ?? 1 } };
  return { operation: "split", params: { mode } };
}

export function ocrTask({ language, output_format, force_ocr }: z.output<typeof ocrBody>): PdfTask {
  return { operation: "ocr", params: { language, outputFormat: output_format, forceOcr: force_ocr } };
}
