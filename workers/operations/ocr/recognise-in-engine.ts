/** Draws or decodes one page, reads it, and says where its words stand. Runs in the page engine. */
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { apply, inTurn, type Matrix, rotation, undoTurn } from "./affine.ts";
import type { GreyImage } from "./grey-image.ts";
import { leaveOutShownWords } from "./leave-out-shown-words.ts";
import type { PlacedWord, RecognisedPage, TextLayer } from "./ocr-phases.ts";
import { readGrey } from "./open-image.ts";
import type { PageEngineTask } from "./page-engine-tasks.ts";
import { tidyText } from "./page-text.ts";
import { placeWords } from "./place-words.ts";
import { rasterPage } from "./raster-page.ts";
import { readUpright, type UprightReading } from "./read-upright.ts";
import type { Tesseract } from "./tesseract.ts";
import { unreadPage } from "./unread-page.ts";

export type PageEngineTools = {
  document: (path: string) => Promise<PdfiumDocument>;
  tesseract: (language: string) => Promise<Tesseract>;
  /** Null where orientation cannot be detected. */
  readModel: ((model: string) => Uint8Array) | null;
};

type RecogniseTask = PageEngineTask & { task: "recognise" };

/** Throws `invalid_image` for an image that cannot be decoded. */
export async function recogniseInEngine(
  task: RecogniseTask,
  tools: PageEngineTools,
): Promise<RecognisedPage> {
  const { page } = task;
  const image = await imageOf(task, tools);
  if (image === null) return unreadPage(page.page, "unreadable");
  const tesseract = await tools.tesseract(task.language);
  const reading = readUpright(tesseract, image, tools.readModel);
  return {
    page: page.page,
    status: "ok",
    text: tidyText(reading.text),
    confidence: reading.confidence,
    angle: reading.angle,
    skew: round2((reading.slope * 180) / Math.PI),
    dpi: image.dpi,
    layer: task.withLayer ? await layerOf(task, tools, image, reading) : null,
  };
}

async function imageOf({ path, page }: RecogniseTask, tools: PageEngineTools): Promise<GreyImage | null> {
  if (page.kind !== "pdf") return readGrey(path, page.kind, page.page);
  return rasterPage(await tools.document(path), page.page, page.dpi);
}

async function layerOf(
  { path, page }: RecogniseTask,
  tools: PageEngineTools,
  image: GreyImage,
  reading: UprightReading,
): Promise<TextLayer> {
  const layer = layerOfReading(image, reading);
  return page.kind === "pdf" ? leaveOutShownWords(layer, await tools.document(path), page.page) : layer;
}

/**
 * The words' boxes stay level where a page slopes, about the middle of each word: readers break sloped text in pieces,
 * and search is what the layer is for.
 */
function layerOfReading(image: GreyImage, { angle, slope, words: read }: UprightReading): TextLayer {
  const words = placeWords(read);
  const { width, height } = image;
  const [uprightWidth, uprightHeight] = angle % 180 === 0 ? [width, height] : [height, width];
  const sloped = rotation(slope, uprightWidth / 2, uprightHeight / 2);
  return {
    words: slope === 0 ? words : words.map((word) => moveMiddle(word, sloped)),
    toPage: inTurn(undoTurn(angle, width, height), [1 / width, 0, 0, 1 / height, 0, 0]),
  };
}

function moveMiddle(word: PlacedWord, by: Matrix): PlacedWord {
  const [halfWidth, halfHeight] = [(word.right - word.left) / 2, (word.bottom - word.top) / 2];
  const [x, y] = apply(by, word.left + halfWidth, word.top + halfHeight);
  return { ...word, left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

function round2(value: number): number {
  // Adding zero turns -0 into 0.
  return Math.round(value * 100) / 100 + 0;
}
