/**
 * What the three phases of an OCR job hand to one another: plan, recognise a page at a time, assemble. All of it is
 * plain data, so that the pages of one job can be spread over threads.
 */
import type { Matrix } from "./affine.ts";
import type { QuarterTurn } from "./grey-image.ts";

export type OcrParams = {
  /** Codes of `ocr-languages.ts` joined by `+`, the main one first. */
  language: string;
  /** `pdf`: also the input with an invisible text layer. */
  outputFormat: "text" | "json" | "pdf";
  /** Recognise every page, whatever text it has. */
  forceOcr: boolean;
};

/** How a page gets its text, and why. */
export type PagePlan = { page: number; decision: "read"; why: string; text: string } | PageToRecognise;

/** `dpi`: of the page's images, or of the image, where it is known. */
export type PageToRecognise = {
  page: number;
  decision: "recognise";
  why: string;
  kind: "pdf" | ImageKind;
  dpi: number | null;
};

export type ImageKind = "png" | "jpeg" | "tiff" | "webp" | "bmp" | "gif";

export type OcrPlan = {
  kind: "pdf" | ImageKind;
  pages: readonly PagePlan[];
};

/** A recognised word in the pixels of the upright image, y downward. */
export type PlacedWord = {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Right to left, as Arabic and Hebrew run. */
  rightToLeft: boolean;
};

export type RecognisedPage = {
  page: number;
  /** `timeout`: over its time bound. `unreadable`: cannot be drawn or decoded. Both have no text. */
  status: "ok" | "timeout" | "unreadable";
  text: string;
  /** 0–100, the mean over the words; null when there is no text. */
  confidence: number | null;
  /** Degrees clockwise by which the page was turned to stand upright. */
  angle: QuarterTurn;
  /** Degrees by which lines sloped on the upright page, downward to the right positive; straightened before reading. */
  skew: number;
  /** Resolution that was read; null when an image does not say. */
  dpi: number | null;
  /** Only for the output with a text layer. */
  layer: TextLayer | null;
};

/** The words of a page and where they stand on it. */
export type TextLayer = {
  words: readonly PlacedWord[];
  /** From the words' pixels to the page as shown: x and y from 0 to 1, origin at its top left. */
  toPage: Matrix;
};

/** What is assembled. `recognised`: every page that the plan says to recognise, in any order. */
export type OcrPages = { plan: OcrPlan; recognised: readonly RecognisedPage[] };
