/** Reads a page whichever way up it lies and however it slopes. */
import { type GreyImage, type QuarterTurn, turn } from "./grey-image.ts";
import { measureSlope } from "./measure-slope.ts";
import { detectTurn, findLines, type Reading, readLines, type Tesseract } from "./tesseract.ts";

/** `slope`: radians, downward to the right on the upright page, before it was straightened. */
export type UprightReading = Reading & { angle: QuarterTurn; slope: number };

// Upright text of a poor scan stays above it, upside-down text of a perfect one below.
const doubtfulConfidence = 70;
// Tesseract reads some sideways lines as well as upright ones; the upright page is preferred then.
const sidewaysAllowance = 10;
const degree = Math.PI / 180;
// Tesseract follows smaller slopes by itself.
const noSlope = 0.5 * degree;
// Two estimates of one slope that differ by more are not of one slope.
const agreement = 1.5 * degree;
// What slopes by more once it is straight was not understood.
const strayLayout = 3 * degree;
const goodConfidence = 80;

/**
 * Reads as it lies, and asks for the orientation (`readModel` null: it cannot) only where that went badly or the lines stand upright: asking first
 * would cost every page a third more. A turned reading is taken only when it is the better one.
 */
export function readUpright(
  tesseract: Tesseract,
  image: GreyImage,
  readModel: ((model: string) => Uint8Array) | null,
): UprightReading {
  const asItLies = readAt(tesseract, image, 0);
  const vertical = linesAreVertical(asItLies);
  const doubtful = vertical || confidenceOf(asItLies) < doubtfulConfidence;
  const angle = doubtful && readModel !== null ? detectTurn(tesseract, image, readModel) : null;
  if (angle === null || angle === 0) return asItLies;
  const turned = readAt(tesseract, turn(image, angle), angle);
  const allowance = vertical ? sidewaysAllowance : -1;
  return confidenceOf(turned) + allowance >= confidenceOf(asItLies) ? turned : asItLies;
}

function readAt(tesseract: Tesseract, image: GreyImage, angle: QuarterTurn): UprightReading {
  const { slope, layoutSlope } = straighten(tesseract, image);
  if (Math.abs(layoutSlope) < strayLayout) return { ...readLines(tesseract), angle, slope };
  // The layout analysis went astray: read as one block, and as it was found only where that is no good either.
  findLines(tesseract, image, { straighten: slope, kind: "block" });
  const block = readLines(tesseract);
  if (confidenceOf(block) >= goodConfidence) return { ...block, angle, slope };
  findLines(tesseract, image, { straighten: slope, kind: "automatic" });
  const automatic = readLines(tesseract);
  return { ...(confidenceOf(block) > confidenceOf(automatic) ? block : automatic), angle, slope };
}

/** Finds the lines, straightening them first where Tesseract's estimate of their slope is confirmed by a measurement. */
function straighten(tesseract: Tesseract, image: GreyImage): { slope: number; layoutSlope: number } {
  const seeming = findLines(tesseract, image, { straighten: 0, kind: "automatic" });
  if (Math.abs(seeming) < noSlope) return { slope: 0, layoutSlope: seeming };
  const slope = measureSlope(image);
  if (slope === 0 || Math.abs(slope - seeming) > agreement) return { slope: 0, layoutSlope: seeming };
  return { slope, layoutSlope: findLines(tesseract, image, { straighten: slope, kind: "automatic" }) };
}

function confidenceOf({ confidence }: Reading): number {
  return confidence ?? 0;
}

/** Whether the lines run up or down: most words of several letters are taller than wide. */
function linesAreVertical({ words }: Reading): boolean {
  const long = words.filter(({ text }) => text.length >= 4);
  const tall = long.filter(({ x0, y0, x1, y1 }) => y1 - y0 > x1 - x0);
  return long.length >= 3 && tall.length > long.length / 2;
}
