import type { InspectData } from "../../platform/contracts/pdf-inspect.ts";
import type { PdfTask } from "../../platform/contracts/pdf-job.ts";
import type { OcrPages, OcrParams, OcrPlan, PageToRecognise, RecognisedPage } from "./ocr/ocr-phases.ts";
import type { OperationContext, OperationResult, SourceFile } from "./operation.ts";

type ParamsOf<Name extends PdfTask["operation"]> = Extract<PdfTask, { operation: Name }>["params"];
type Order<Params> = { sources: readonly SourceFile[]; params: Params };
type OcrOrder = { source: SourceFile; params: OcrParams };

const modules = {
  compress: () => import("./compress/compress.ts"),
  merge: () => import("./merge/merge.ts"),
  split: () => import("./split/split.ts"),
  planOcr: () => import("./ocr/plan-ocr.ts"),
  recognisePage: () => import("./ocr/recognise-page.ts"),
  assembleOcr: () => import("./ocr/assemble-ocr.ts"),
  inspect: () => import("./inspect/inspect.ts"),
} as const;

/**
 * Everything that a slot can be asked to do, each loaded when it is first needed. OCR is three of these, so that the
 * pages of one job can be spread over slots.
 */
export const operations = {
  compress: async ({ sources, params }: Order<ParamsOf<"compress">>, context): Promise<OperationResult> =>
    (await modules.compress()).compress(sources, params, context),
  merge: async ({ sources, params }: Order<ParamsOf<"merge">>, context): Promise<OperationResult> =>
    (await modules.merge()).merge(sources, params, context),
  split: async ({ sources, params }: Order<ParamsOf<"split">>, context): Promise<OperationResult> =>
    (await modules.split()).split(sources, params, context),
  planOcr: async ({ source, params }: OcrOrder, context): Promise<OcrPlan> =>
    (await modules.planOcr()).planOcr(source, params, context),
  recognisePage: async (
    { source, params, page }: OcrOrder & { page: PageToRecognise },
    context,
  ): Promise<RecognisedPage> => (await modules.recognisePage()).recognisePage(source, page, params, context),
  assembleOcr: async (
    { source, params, pages }: OcrOrder & { pages: OcrPages },
    context,
  ): Promise<OperationResult> => (await modules.assembleOcr()).assembleOcr(source, pages, params, context),
  inspect: async ({ source }: { source: SourceFile }, context): Promise<InspectData> =>
    (await modules.inspect()).inspect(source, context),
} as const satisfies Record<string, (input: never, context: OperationContext) => Promise<unknown>>;

export type Operations = typeof operations;
export type StepName = keyof Operations;
export type StepInput<Name extends StepName> = Parameters<Operations[Name]>[0];
export type StepOutput<Name extends StepName> = Awaited<ReturnType<Operations[Name]>>;

/** Loads what these steps need, so that the first one in a thread is as quick as the next. */
export async function preloadOperations(names: readonly StepName[]): Promise<void> {
  await Promise.all(names.map((name) => modules[name]()));
}
