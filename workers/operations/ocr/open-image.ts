/** Image files through libvips: headers first, pixels only once their number is known to be bearable. */
import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { Failure } from "../../../platform/contracts/failures.ts";
import { bmpSize, decodeBmp } from "./bmp.ts";
import type { GreyImage } from "./grey-image.ts";
import type { ImageKind } from "./ocr-phases.ts";

// An A0 poster at 300 dpi has 140 million.
const maxPixels = 200e6;
// Larger images are read at a smaller size, as PDF pages are.
const maxReadPixels = 40e6;
const maxReadSide = 32_000;
// Below this, a stated resolution is a screen's default that says nothing of the paper.
const leastBelievedDpi = 90;

/** How many pages an image file has; only TIFFs have several. Throws `invalid_image` or `too_complex`. */
export async function imagePages(
  path: string,
  kind: ImageKind,
): Promise<{ page: number; dpi: number | null }[]> {
  const { width, height, pages, dpi } = kind === "bmp" ? await bmpHeader(path) : await header(path);
  boundPixels(width, height);
  const count = kind === "tiff" ? pages : 1;
  return Array.from({ length: count }, (_, index) => ({ page: index + 1, dpi }));
}

/** One page as grey pixels on white, upright as its EXIF orientation says. Throws `invalid_image` or `too_complex`. */
export async function readGrey(path: string, kind: ImageKind, page: number): Promise<GreyImage> {
  const image = await openImage(path, kind, page);
  const shrink = Math.min(
    1,
    Math.sqrt(maxReadPixels / (image.width * image.height)),
    maxReadSide / Math.max(image.width, image.height),
  );
  const upright = image.pixels.autoOrient().flatten({ background: "white" });
  const sized = shrink < 1 ? upright.resize({ width: Math.floor(image.uprightWidth * shrink) }) : upright;
  const { data, info } = await decode(() =>
    sized
      .toColourspace("b-w")
      .extractChannel(0)
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true }),
  );
  const dpi = image.dpi === null ? null : Math.round(image.dpi * shrink);
  return { width: info.width, height: info.height, dpi, pixels: data };
}

export type OpenImage = {
  pixels: Sharp;
  width: number;
  height: number;
  /** The width once the EXIF orientation is applied. */
  uprightWidth: number;
  dpi: number | null;
  grey: boolean;
  /** Whether a PDF can show the file's own bytes: a JPEG that is neither CMYK nor turned by its EXIF orientation. */
  asItIs: boolean;
};

/** A page of an image, bounded, not decoded yet. */
export async function openImage(path: string, kind: ImageKind, page: number): Promise<OpenImage> {
  if (kind === "bmp") return openBmp(path);
  const options = kind === "tiff" ? { page: page - 1 } : {};
  const head = await header(path, options);
  boundPixels(head.width, head.height);
  const pixels = sharp(path, { ...options, limitInputPixels: maxPixels, failOn: "error" });
  return { pixels, ...head, uprightWidth: head.sideways ? head.height : head.width };
}

async function header(path: string, options: { page?: number } = {}) {
  const meta = await decode(() => sharp(path, { ...options, limitInputPixels: false }).metadata());
  const dpi =
    meta.density !== undefined && meta.density >= leastBelievedDpi ? Math.round(meta.density) : null;
  const orientation = meta.orientation ?? 1;
  const grey = meta.channels === 1;
  const asItIs = meta.format === "jpeg" && orientation === 1 && (grey || meta.channels === 3);
  const { width, height, pages = 1 } = meta;
  return { width, height, pages, dpi, sideways: orientation >= 5, grey, asItIs };
}

async function bmpHeader(path: string) {
  const size = bmpSize(await readFile(path));
  if (size === null) throw undecodable();
  return { ...size, pages: 1, dpi: null };
}

async function openBmp(path: string): Promise<OpenImage> {
  const bytes = await readFile(path);
  const size = bmpSize(bytes);
  if (size === null) throw undecodable();
  boundPixels(size.width, size.height);
  const bitmap = decodeBmp(bytes);
  if (bitmap === null) throw undecodable();
  const { width, height, rgb } = bitmap;
  const dpi = bitmap.dpi !== null && bitmap.dpi >= leastBelievedDpi ? bitmap.dpi : null;
  return {
    grey: false,
    asItIs: false,
    pixels: sharp(rgb, { raw: { width, height, channels: 3 } }),
    width,
    height,
    uprightWidth: width,
    dpi,
  };
}

function boundPixels(width: number, height: number): void {
  if (width * height <= maxPixels) return;
  const bound = "Images of at most 200 million pixels are read";
  throw new Failure("too_complex", `${bound}; this one has ${width} × ${height}. Send a smaller one.`);
}

async function decode<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw undecodable(cause);
  }
}

function undecodable(cause?: unknown): Failure {
  const message = "This image cannot be decoded. Save it anew as PNG, JPEG or TIFF, then send it again.";
  return new Failure("invalid_image", message, { cause });
}
