/** Text from a PDF or an image, its three phases one after another. The engine that runs jobs spreads the second. */
import type { Operation } from "../operation.ts";
import { assembleOcr } from "./assemble-ocr.ts";
import type { OcrParams, RecognisedPage } from "./ocr-phases.ts";
import { planOcr } from "./plan-ocr.ts";
import { recognisePage } from "./recognise-page.ts";

/** Takes one source. Throws what the phases throw. */
export const ocr: Operation<OcrParams> = async (sources, params, context) => {
  const [source] = sources;
  if (source === undefined) throw new Error("OCR takes one source");
  const plan = await planOcr(source, params, context);
  const read = plan.pages.filter(({ decision }) => decision === "read").length;
  const recognised: RecognisedPage[] = [];
  for (const page of plan.pages) {
    if (page.decision === "read") continue;
    recognised.push(await recognisePage(source, page, params, context));
    context.progress(read + recognised.length, plan.pages.length);
  }
  return assembleOcr(source, { plan, recognised }, params, context);
};
