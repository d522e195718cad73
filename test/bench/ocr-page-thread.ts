/** A slot of the OCR bench: one page, recognised in a piscina thread as the worker service does it. */
import type { OcrParams, PageToRecognise } from "../../workers/operations/ocr/ocr-phases.ts";
import { recognisePage } from "../../workers/operations/ocr/recognise-page.ts";
import type { SourceFile } from "../../workers/operations/operation.ts";

export default function recognise(task: { source: SourceFile; page: PageToRecognise; params: OcrParams }) {
  return recognisePage(task.source, task.page, task.params, { signal: new AbortController().signal });
}
