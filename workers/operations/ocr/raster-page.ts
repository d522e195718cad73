/** Draws a PDF page for recognition. */
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import type { GreyImage } from "./grey-image.ts";
import { rasterSize } from "./raster-size.ts";

/** The page (from 1) as a reader shows it, form fields included; null when it cannot be loaded. */
export function rasterPage(
  document: PdfiumDocument,
  page: number,
  imageDpi: number | null,
): GreyImage | null {
  const points = document.pageSize(page - 1);
  if (points === undefined) return null;
  const { width, height, dpi } = rasterSize(points.width, points.height, imageDpi);
  const picture = document.renderGrey(page - 1, width, height);
  return picture === undefined ? null : { ...picture, dpi };
}
