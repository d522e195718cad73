import type { RecognisedPage } from "./ocr-phases.ts";

/** The entry of a page that could not be read: it has no text, and the others are not lost for it. */
export function unreadPage(page: number, status: "timeout" | "unreadable"): RecognisedPage {
  return { page, status, text: "", confidence: null, angle: 0, skew: 0, dpi: null, layer: null };
}
