/** What a page engine can be asked, and what it answers. */
import type { FailureData } from "../../../platform/contracts/failures.ts";
import type { InspectData } from "../../../platform/contracts/pdf-inspect.ts";
import type { OcrPlan, PageToRecognise, RecognisedPage } from "./ocr-phases.ts";

export type PageEngineTask =
  | { task: "plan"; path: string; forceOcr: boolean }
  | {
      task: "recognise";
      path: string;
      page: PageToRecognise;
      language: string;
      withLayer: boolean;
    }
  | { task: "inspect"; path: string };

export type PageEngineResult = {
  plan: OcrPlan;
  recognise: RecognisedPage;
  inspect: InspectData;
};

/** `worn`: the engine's memory has grown, or its state is in doubt; it must not be used again. */
export type PageEngineAnswer =
  | { ok: true; result: PageEngineResult[PageEngineTask["task"]]; worn: boolean }
  | { ok: false; failure: FailureData | null; cause: string; worn: boolean };
