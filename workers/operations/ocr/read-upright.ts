/** Reads a page whichever way up it lies. */
import { type GreyImage, type QuarterTurn, turn } from "./grey-image.ts";
import type { PlacedWord } from "./ocr-phases.ts";
import { detectTurn, type Reading, readText, type Tesseract } from "./tesseract.ts";
import { linesAreVertical, tsvWords } from "./tsv-words.ts";

export type UprightReading = Reading & { angle: QuarterTurn; words: readonly PlacedWord[] };

// Upright text of a poor scan stays above it, upside-down text of a perfect one below.
const doubtfulConfidence = 70;
// Tesseract reads some sideways lines as well as upright ones; the upright page is preferred then.
const sidewaysAllowance = 10;

/**
 * Reads as it lies, and asks for the orientation only where that went badly or the lines stand upright: asking first
 * would cost every page a third more. A turned reading is taken only when it is the better one.
 */
export function readUpright(
  tesseract: Tesseract,
  image: GreyImage,
  readModel: ((model: string) => Uint8Array) | null,
): UprightReading {
  const asItLies = readAt(tesseract, image, 0);
  const vertical = linesAreVertical(asItLies.words);
  const doubtful = vertical || (asItLies.confidence ?? 0) < doubtfulConfidence;
  const angle = doubtful && readModel !== null ? detectTurn(tesseract, image, readModel) : null;
  if (angle === null || angle === 0) return asItLies;
  const turned = readAt(tesseract, image, angle);
  const needed = (asItLies.confidence ?? 0) - (vertical ? sidewaysAllowance : -1);
  return (turned.confidence ?? 0) >= needed ? turned : asItLies;
}

function readAt(tesseract: Tesseract, image: GreyImage, angle: QuarterTurn): UprightReading {
  const reading = readText(tesseract, turn(image, angle));
  return { ...reading, angle, words: tsvWords(reading.tsv) };
}
