/** How alike two pictures of a page are: structural similarity (SSIM), where a sub-pixel shift does not count. */
import type { GreyPicture } from "../../../platform/pdf/pdfium-document.ts";

const window = 8;
// The usual constants for 8-bit values: (0.01 · 255)² and (0.03 · 255)².
const c1 = 6.5025;
const c2 = 58.5225;
const shifts = [-0.5, -0.25, 0, 0.25, 0.5];
const cropSize = 192;

/**
 * Mean SSIM over windows of 8 × 8 pixels; where that is below `enough`, at the shift under a pixel that suits the part
 * with most in it best. 0 for pictures of different size.
 */
export function similarity(before: GreyPicture, after: GreyPicture, enough: number): number {
  if (before.width !== after.width || before.height !== after.height) return 0;
  const inPlace = meanSimilarity(before, after);
  if (inPlace >= enough) return inPlace;
  const { x, y } = busiestCrop(before);
  const [cropBefore, cropAfter] = [crop(before, x, y), crop(after, x, y)];
  let best = { x: 0, y: 0, similarity: 0 };
  for (const shiftX of shifts) {
    for (const shiftY of shifts) {
      const found = similarityAt(cropBefore, cropAfter, shiftX, shiftY);
      if (found > best.similarity) best = { x: shiftX, y: shiftY, similarity: found };
    }
  }
  return Math.max(inPlace, similarityAt(before, after, best.x, best.y));
}

/** Half of the shift each way: so both pictures are blurred alike. */
function similarityAt(before: GreyPicture, after: GreyPicture, shiftX: number, shiftY: number): number {
  return meanSimilarity(shifted(before, shiftX, shiftY), shifted(after, -shiftX, -shiftY));
}

function busiestCrop(picture: GreyPicture): { x: number; y: number } {
  let busiest = { x: 0, y: 0, contrast: -1 };
  for (let y = 0; y < picture.height; y += cropSize) {
    for (let x = 0; x < picture.width; x += cropSize) {
      const { pixels } = crop(picture, x, y);
      let contrast = 0;
      for (let at = 2; at < pixels.length; at += 2) {
        contrast += Math.abs((pixels[at] as number) - (pixels[at - 2] as number));
      }
      if (contrast > busiest.contrast) busiest = { x, y, contrast };
    }
  }
  return busiest;
}

function crop({ width, height, pixels }: GreyPicture, left: number, top: number): GreyPicture {
  const right = Math.min(width, left + cropSize);
  const bottom = Math.min(height, top + cropSize);
  const part = new Uint8Array((right - left) * (bottom - top));
  for (let y = top; y < bottom; y += 1) {
    part.set(pixels.subarray(y * width + left, y * width + right), (y - top) * (right - left));
  }
  return { width: right - left, height: bottom - top, pixels: part };
}

function meanSimilarity(a: GreyPicture, b: GreyPicture): number {
  let sum = 0;
  let windows = 0;
  const lastX = Math.max(1, a.width - window + 1);
  const lastY = Math.max(1, a.height - window + 1);
  for (let y = 0; y < lastY; y += window) {
    for (let x = 0; x < lastX; x += window) {
      sum += windowSimilarity(a, b, x, y);
      windows += 1;
    }
  }
  return sum / windows;
}

function windowSimilarity(a: GreyPicture, b: GreyPicture, x: number, y: number): number {
  const right = Math.min(x + window, a.width);
  const bottom = Math.min(y + window, a.height);
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let row = y; row < bottom; row += 1) {
    for (let at = row * a.width + x, end = row * a.width + right; at < end; at += 1) {
      const valueA = a.pixels[at] as number;
      const valueB = b.pixels[at] as number;
      sumA += valueA;
      sumB += valueB;
      sumAA += valueA * valueA;
      sumBB += valueB * valueB;
      sumAB += valueA * valueB;
    }
  }
  const count = (right - x) * (bottom - y);
  const meanA = sumA / count;
  const meanB = sumB / count;
  const varianceA = sumAA / count - meanA * meanA;
  const varianceB = sumBB / count - meanB * meanB;
  const covariance = sumAB / count - meanA * meanB;
  const luminance = (2 * meanA * meanB + c1) / (meanA * meanA + meanB * meanB + c1);
  return luminance * ((2 * covariance + c2) / (varianceA + varianceB + c2));
}

/** The picture moved by up to half a pixel, between the pixels by linear interpolation. */
function shifted({ width, height, pixels }: GreyPicture, byX: number, byY: number): GreyPicture {
  const out = new Uint8Array(pixels.length);
  const stepX = byX < 0 ? -1 : 1;
  const stepY = (byY < 0 ? -1 : 1) * width;
  const partX = Math.abs(byX);
  const partY = Math.abs(byY);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const here = pixels[at] as number;
      const besideX = pixels[at + stepX] ?? here;
      const besideY = pixels[at + stepY] ?? here;
      const across = pixels[at + stepX + stepY] ?? here;
      const top = here + (besideX - here) * partX;
      const bottom = besideY + (across - besideY) * partX;
      out[at] = top + (bottom - top) * partY + 0.5;
    }
  }
  return { width, height, pixels: out };
}
