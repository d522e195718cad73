import type { z } from "zod";
import { sourceOf } from "../../platform/contracts/http-api/file-input.ts";
import { jobBody, jobFailureCodes } from "../../platform/contracts/http-api/jobs.ts";
import { compressBody, mergeBody, ocrBody, splitBody } from "../../platform/contracts/http-api/pdf.ts";
import {
  compressResult,
  mergeResult,
  ocrResult,
  splitResult,
} from "../../platform/contracts/http-api/pdf-results.ts";
import { type Route, route } from "../route.ts";
import * as examples from "./examples.ts";
import type { RunOperation } from "./run-operation.ts";
import { compressTask, mergeTask, ocrTask, splitTask } from "./tasks.ts";

/** The four operations. Each becomes a job, also when its caller waits for the result. */
export function operationRoutes(runOperation: RunOperation): Route[] {
  return [
    route({
      ...operation("compress", compressResult, examples.compress),
      summary: "Make a PDF smaller",
      description:
        "Never answers with a larger file. Text stays text; links, outlines, form fields, tags and metadata stay.",
      body: compressBody,
      permission: "pdf:process",
      files: ["pdf_base64"],
      handle: (call) =>
        runOperation({ call, task: compressTask(call.body), sources: [named("", call.body)] }),
    }),
    route({
      ...operation("merge", mergeResult, examples.merge),
      summary: "Merge several PDFs into one",
      description:
        "Keeps outlines, links, named destinations, form fields, attachments, page labels and layers of every file, and tags where all files have them. Title, author and language are the first file's. XMP metadata, and with it a claim of PDF/A, is left behind: it speaks of one file.",
      body: mergeBody,
      permission: "pdf:process",
      files: ["files[].pdf_base64"],
      handle: (call) =>
        runOperation({
          call,
          task: mergeTask(call.body),
          sources: call.body.files.map((file, index) => named(`files[${index}].`, file)),
        }),
    }),
    route({
      ...operation("split", splitResult, examples.split),
      summary: "Split a PDF into several",
      description:
        "Parts hold only what their pages need, with their links, labels, fields and outline entries; attachments, document scripts and XMP metadata belong to the whole and are left behind. `Accept: application/zip` answers with the parts as a ZIP.",
      body: splitBody,
      permission: "pdf:process",
      files: ["pdf_base64"],
      handle: (call) => runOperation({ call, task: splitTask(call.body), sources: [named("", call.body)] }),
    }),
    route({
      ...operation("ocr", ocrResult, examples.ocr),
      summary: "Extract the text of a PDF or an image",
      description:
        "PDF, PNG, JPEG, TIFF, WebP, BMP or GIF, known by its content. Pages that have text are read. One page that cannot be recognised does not fail the others: `failed_pages` names it.",
      body: ocrBody,
      permission: "pdf:process",
      files: ["file_base64"],
      rawTypes: ["application/pdf", "image/*"],
      handle: (call) => runOperation({ call, task: ocrTask(call.body), sources: [named("", call.body)] }),
    }),
  ];
}

function named(place: string, body: Parameters<typeof sourceOf>[0]) {
  const field = body.file_url != null ? "file_url" : "pdf_url";
  return { source: sourceOf(body), path: `${place}${field}` };
}

function operation(name: string, result: z.ZodType, example: { body: unknown; result: unknown }) {
  return {
    method: "post" as const,
    path: `/api/v1/pdf/${name}`,
    tag: "PDF" as const,
    makes: "job" as const,
    bodyExample: example.body,
    answers: {
      200: { schema: result, example: example.result },
      202: { schema: jobBody, example: examples.pendingJob },
    },
    failures: [...jobFailureCodes, "url_not_allowed", "download_failed"] as const,
  };
}
