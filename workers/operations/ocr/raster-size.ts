/** At which resolution a page is drawn for recognition. */

const leastDpi = 300;
const mostDpi = 400;
// 40 million grey pixels are an A2 page at 300 dpi; what is larger is drawn coarser, never refused.
const maxPixels = 40e6;
// Tesseract's images end at 32,767 pixels a side.
const maxSide = 32_000;

export type RasterSize = { width: number; height: number; dpi: number };

/**
 * Pixels for a page of `widthPt` × `heightPt` points: the resolution of its images between 300 and 400 dpi, as text
 * wants 300 and more than 400 only costs time; less where the page is too large for that.
 */
export function rasterSize(widthPt: number, heightPt: number, imageDpi: number | null): RasterSize {
  const wanted = Math.min(Math.max(imageDpi ?? leastDpi, leastDpi), mostDpi);
  const [width, height] = [Math.max(widthPt, 1) / 72, Math.max(heightPt, 1) / 72];
  const bounds = [Math.sqrt(maxPixels / (width * height)), maxSide / width, maxSide / height];
  const dpi = Math.min(wanted, ...bounds);
  return {
    width: Math.max(1, Math.floor(width * dpi)),
    height: Math.max(1, Math.floor(height * dpi)),
    dpi: Math.round(dpi),
  };
}
