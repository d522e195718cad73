import type { Bus } from "../../platform/bus.ts";
import { sourceOf } from "../../platform/contracts/http-api/file-input.ts";
import { inspectBody } from "../../platform/contracts/http-api/pdf.ts";
import { languageList } from "../../platform/contracts/http-api/pdf-results.ts";
import { ocrLanguages } from "../../platform/contracts/ocr-languages.ts";
import { inspectData, inspectPdf } from "../../platform/contracts/pdf-inspect.ts";
import type { FetchFiles } from "../ingest/fetch-files.ts";
import { type Route, route } from "../route.ts";
import * as examples from "./examples.ts";

const inspectTimeoutMs = 40_000;

/** What a caller wants to know before an operation. No jobs. */
export function lookRoutes({ bus, fetchFiles }: { bus: Bus; fetchFiles: FetchFiles }): Route[] {
  return [
    route({
      method: "get",
      path: "/api/v1/pdf/ocr/languages",
      tag: "PDF",
      summary: "List the languages of OCR",
      permission: "pdf:process",
      answers: {
        200: { schema: languageList, example: { languages: [{ code: "eng", name: "English" }] } },
      },
      handle: async () => ({
        data: { languages: ocrLanguages.map(({ code, name }) => ({ code, name })) },
      }),
    }),
    route({
      method: "post",
      path: "/api/v1/pdf/inspect",
      tag: "PDF",
      summary: "Tell what a PDF is",
      description:
        "Pages, encryption, signatures, forms, tags, fonts, images, and whether pages are text or scans.",
      permission: "pdf:process",
      body: inspectBody,
      files: ["pdf_base64"],
      bodyExample: examples.inspect.body,
      answers: {
        200: { schema: inspectData, example: examples.inspect.result },
      },
      failures: ["invalid_pdf", "too_complex", "url_not_allowed", "download_failed"],
      handle: async ({ body, newId, signal, trail }) => {
        const sources = [{ source: sourceOf(body), path: "pdf_url" }];
        const [blob] = await fetchFiles({ kind: "uploads", id: newId }, sources, signal);
        if (blob === undefined) throw new Error("one source gave no file");
        return { data: await bus.ask(inspectPdf, { blob }, { trail, timeoutMs: inspectTimeoutMs }) };
      },
    }),
  ];
}
