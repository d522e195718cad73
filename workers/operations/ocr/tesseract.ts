/**
 * Tesseract's WebAssembly build, called directly. tesseract.js's own worker would wrap it in a second thread whose start
 * never settles when a model is missing, keep what it learnt from one page for the next, and have no orientation
 * detection beside the LSTM engine; its loader, which picks the build for this processor, is used.
 */
import { createRequire } from "node:module";
import { orientationModel } from "../../../platform/contracts/ocr-languages.ts";
import { type GreyImage, type QuarterTurn, toPgm } from "./grey-image.ts";

type CoreApi = {
  Init: (folder: string, languages: string, engine: number, config?: string) => number;
  SetVariable: (name: string, value: string) => boolean;
  /** 1: the image cannot be read. Radians, clockwise. */
  SetImageFile: (exifOrientation: number, radians: number) => number;
  FindLines: () => number;
  GetGradient: () => number;
  Recognize: (monitor: null) => number;
  GetUTF8Text: () => string;
  GetIterator: () => PageIterator;
  MeanTextConf: () => number;
  DetectOS: (results: OrientationResults) => boolean;
  Clear: () => void;
  ClearAdaptiveClassifier: () => void;
  End: () => void;
};
type PixelBox = { x0: number; y0: number; x1: number; y1: number };
type PageIterator = {
  Begin: () => void;
  Next: (level: number) => boolean;
  IsAtBeginningOf: (level: number) => boolean;
  GetUTF8Text: (level: number) => string;
  getBoundingBox: (level: number) => PixelBox;
};
type OrientationResults = { best_result: { orientation_id: number; oconfidence: number } };
type Core = {
  FS: { writeFile: (path: string, data: Uint8Array) => void; unlink: (path: string) => void };
  TessBaseAPI: new () => CoreApi;
  OSResults: new () => OrientationResults;
  destroy: (object: object) => void;
};
type PickCore = (
  engine: number,
  path: null,
  response: { progress: () => void },
) => Promise<(options: object) => Promise<Core>>;

export type Tesseract = { core: Core; api: CoreApi; languages: string; orientation: CoreApi | null };

export type Reading = {
  text: string;
  /** 0–100; null without text. */
  confidence: number | null;
  /** In the pixels of the straightened image. */
  words: readonly ReadWord[];
};

export type ReadWord = PixelBox & { text: string; startsLine: boolean };

export type Layout = {
  /** Radians by which the lines slope, downward to the right; straightened before anything else. */
  straighten: number;
  /** `block`: the whole page is one column of text. */
  kind: "automatic" | "block";
};

const [legacyEngine, lstmEngine] = [0, 1];
// PSM_AUTO, as the command line does, and PSM_SINGLE_BLOCK, which is the library's default.
const segmentation = { automatic: "3", block: "6" };
// RIL_TEXTLINE, RIL_WORD.
const [lineLevel, wordLevel] = [2, 3];

/** Loads the build (with the legacy engine, which orientation detection needs) and the languages. */
export async function loadTesseract(
  models: readonly string[],
  languages: string,
  readModel: (model: string) => Uint8Array,
): Promise<Tesseract> {
  const pickCore: PickCore = createRequire(import.meta.url)("tesseract.js/src/worker-script/node/getCore");
  const createCore = await pickCore(legacyEngine, null, { progress: () => {} });
  // Its diagnostics ("Empty page!!") are for a person at a terminal.
  const core = await createCore({ print: () => {}, printErr: () => {} });
  for (const model of models) core.FS.writeFile(`/${model}.traineddata`, readModel(model));
  const api = new core.TessBaseAPI();
  if (api.Init("/", languages, lstmEngine) !== 0)
    throw new Error(`Tesseract refuses the data of ${languages}`);
  return { core, api, languages, orientation: null };
}

/**
 * Finds the lines of an image, which `readLines` then reads, and returns by how much they seem to slope, as `straighten`
 * takes it. What was learnt from another page is forgotten first, so that no document tells of another.
 */
export function findLines({ core, api }: Tesseract, image: GreyImage, { straighten, kind }: Layout): number {
  api.Clear();
  api.ClearAdaptiveClassifier();
  api.SetVariable("tessedit_pageseg_mode", segmentation[kind]);
  // 0: estimated from the letters' height.
  api.SetVariable("user_defined_dpi", String(image.dpi ?? 0));
  core.FS.writeFile("/input", toPgm(image));
  setImage(api, -straighten);
  core.FS.unlink("/input");
  return api.FindLines() === 0 ? -api.GetGradient() : 0;
}

export function readLines({ core, api }: Tesseract): Reading {
  api.Recognize(null);
  const text = api.GetUTF8Text();
  const hasText = text.trim() !== "";
  const reading = {
    text,
    confidence: hasText ? api.MeanTextConf() : null,
    words: hasText ? readWords(core, api.GetIterator()) : [],
  };
  api.Clear();
  return reading;
}

/** Word by word through the iterator: a quarter of what Tesseract's own list of them (TSV) costs. */
function readWords(core: Core, iterator: PageIterator): ReadWord[] {
  const words: ReadWord[] = [];
  iterator.Begin();
  do {
    const text = iterator.GetUTF8Text(wordLevel).trim();
    const box = iterator.getBoundingBox(wordLevel);
    if (text !== "") words.push({ text, startsLine: iterator.IsAtBeginningOf(lineLevel), ...box });
  } while (iterator.Next(wordLevel));
  core.destroy(iterator);
  return words;
}

/** The clockwise turn that makes an image upright, or null when the page has too few characters to say. */
export function detectTurn(
  tesseract: Tesseract,
  image: GreyImage,
  readModel: (model: string) => Uint8Array,
): QuarterTurn | null {
  const { core } = tesseract;
  tesseract.orientation ??= loadOrientation(core, readModel);
  const results = new core.OSResults();
  core.FS.writeFile("/input", toPgm(image));
  try {
    setImage(tesseract.orientation, 0);
    if (!tesseract.orientation.DetectOS(results)) return null;
    const turns = [0, 270, 180, 90] as const;
    return turns[results.best_result.orientation_id] ?? null;
  } finally {
    tesseract.orientation.Clear();
    core.FS.unlink("/input");
    core.destroy(results);
  }
}

function loadOrientation(core: Core, readModel: (model: string) => Uint8Array): CoreApi {
  core.FS.writeFile(`/${orientationModel}.traineddata`, readModel(orientationModel));
  const api = new core.TessBaseAPI();
  if (api.Init("/", orientationModel, legacyEngine) !== 0)
    throw new Error("Tesseract refuses the orientation data");
  return api;
}

function setImage(api: CoreApi, radians: number): void {
  const uprightAlready = 1;
  if (api.SetImageFile(uprightAlready, radians) !== 0) throw new Error("Tesseract cannot read the image");
}
