/**
 * How much the lines of a page slope. Tesseract's own estimate is a by-product of its layout analysis and goes badly wrong
 * at times (7° on a straight Arabic page), so it is checked here: seen along its lines, text is striped.
 */
import type { GreyImage } from "./grey-image.ts";

const degree = Math.PI / 180;
const mostSlope = 10 * degree;
const coarseStep = 0.5 * degree;
const fineStep = 0.05 * degree;
// Tesseract follows smaller slopes by itself, and turning costs a little sharpness.
const leastSlope = 0.7 * degree;
// A page without lines of text is striped in no direction; straight ones hardly gain from any.
const leastGain = 1.2;
const sampledSide = 1000;
const mostPoints = 30_000;

/** Radians, downward to the right positive; 0 for a straight page and for one without lines. */
export function measureSlope(image: GreyImage): number {
  const ink = inkPoints(image);
  if (ink.x.length === 0) return 0;
  const coarse = sharpest(ink, 0, mostSlope, coarseStep);
  const slope = sharpest(ink, coarse, coarseStep, fineStep);
  if (Math.abs(slope) < leastSlope) return 0;
  // Points strewn at random differ by chance from row to row: by the variance of two Poisson counts, summed over rows; twice that is beyond chance.
  const byChance = 4 * ink.x.length;
  return stripedness(ink, slope) >= leastGain * Math.max(stripedness(ink, 0), byChance) ? slope : 0;
}

type Ink = { x: Float32Array; y: Float32Array; height: number };

/** Dark pixels of a coarser picture, and no more of them than measuring needs. */
function inkPoints({ width, height, pixels }: GreyImage): Ink {
  const step = Math.max(1, Math.floor(Math.max(width, height) / sampledSide));
  const dark = threshold(pixels);
  const points: [x: number, y: number][] = [];
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      if ((pixels[y * width + x] ?? 255) < dark) points.push([x / step, y / step]);
    }
  }
  const kept = Math.min(points.length, mostPoints);
  const chosen = Array.from(
    { length: kept },
    (_, index) => points[scattered(index, points.length)] ?? ([0, 0] as const),
  );
  return {
    x: Float32Array.from(chosen, ([x]) => x),
    y: Float32Array.from(chosen, ([, y]) => y),
    height: Math.ceil(height / step),
  };
}

/**
 * Scattered over the page, the same ones each time. Steps of one length, however chosen, would fall into a lattice,
 * and a lattice is striped by itself; so the bits are mixed (the finalizer of MurmurHash3).
 */
function scattered(index: number, count: number): number {
  let mixed = index + 1;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % count;
}

/** Between ink and paper (Otsu's method), from a thousandth of the pixels at least. */
function threshold(pixels: Uint8Array): number {
  const histogram = new Float64Array(256);
  const step = Math.max(1, Math.floor(pixels.length / 100_000));
  let [count, sum] = [0, 0];
  for (let index = 0; index < pixels.length; index += step) {
    const value = pixels[index] ?? 255;
    histogram[value] = (histogram[value] ?? 0) + 1;
    count += 1;
    sum += value;
  }
  let [below, belowSum, best, bestSpread] = [0, 0, 0, -1];
  for (let value = 0; value < 256; value += 1) {
    below += histogram[value] ?? 0;
    belowSum += value * (histogram[value] ?? 0);
    if (below === 0 || below === count) continue;
    const spread = (sum * (below / count) - belowSum) ** 2 / (below * (count - below));
    if (spread > bestSpread) [best, bestSpread] = [value + 1, spread];
  }
  return best;
}

function sharpest(ink: Ink, around: number, reach: number, step: number): number {
  let [best, bestScore] = [around, -1];
  for (let slope = around - reach; slope <= around + reach + step / 2; slope += step) {
    const score = stripedness(ink, slope);
    if (score > bestScore) [best, bestScore] = [slope, score];
  }
  return best;
}

/** Along the lines, rows of ink and rows of paper alternate: the differences between neighbours are large. */
function stripedness({ x, y, height }: Ink, slope: number): number {
  const tangent = Math.tan(slope);
  const margin = Math.ceil(sampledSide * 2 * Math.tan(mostSlope + coarseStep));
  const rows = new Int32Array(height + 2 * margin);
  for (let index = 0; index < x.length; index += 1) {
    const row = Math.round((y[index] ?? 0) - (x[index] ?? 0) * tangent) + margin;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row += 1) sum += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2;
  return sum;
}
