/** Samples packed as JPEG or as Flate with PNG's predictors, by libvips, whose threads leave this one free. */
import sharp, { type Sharp } from "sharp";
import { deflateBest } from "./deflate.ts";
import type { Samples } from "./image-samples.ts";

/** Image data as a PDF stream holds it. `predictor` says that Flate data was filtered row by row as in PNG. */
export type EncodedImage = {
  data: Uint8Array;
  filter: "DCTDecode" | "FlateDecode";
  predictor: boolean;
  width: number;
  height: number;
  channels: 1 | 3;
};

// What is so large and not a photo is rare; trying every packing on each photo would be felt.
const largePixels = 500_000;

export type TargetSize = { width: number; height: number };

/** As JPEG, scaled to the target. */
export async function encodeJpeg(
  samples: Samples,
  target: TargetSize,
  quality: number,
): Promise<EncodedImage> {
  return finishJpeg(scaled(fromSamples(samples), samples, target), target, samples.channels, quality);
}

/** JPEG to JPEG: where the target is half the size or less, only as much is decoded as it needs. */
export async function recodeJpeg(
  jpeg: Uint8Array,
  size: TargetSize,
  target: TargetSize,
  { channels, quality, maxPixels }: { channels: 1 | 3; quality: number; maxPixels: number },
): Promise<EncodedImage> {
  // A profile inside the JPEG means nothing in a PDF: the image's colour space speaks.
  const picture = sharp(jpeg, { limitInputPixels: maxPixels, failOn: "none", ignoreIcc: true });
  return finishJpeg(scaled(picture, size, target), target, channels, quality);
}

/** Without loss, scaled to the target: with PNG's row filters or without, whichever is smaller. */
export async function encodeFlate(samples: Samples, target: TargetSize): Promise<EncodedImage> {
  const picture = scaled(fromSamples(samples), samples, target).toColourspace(
    samples.channels === 1 ? "b-w" : "srgb",
  );
  const isLarge = target.width * target.height > largePixels;
  const png = picture.clone().png({ compressionLevel: isLarge ? 6 : 9, adaptiveFiltering: true });
  const filtered = imageDataOf(await png.toBuffer());
  if (isLarge)
    return { data: filtered, filter: "FlateDecode", predictor: true, ...target, channels: samples.channels };
  const plain = await picture.raw().toBuffer();
  const unfiltered = await deflateBest(plain);
  const predictor = filtered.length < unfiltered.length;
  const data = predictor ? filtered : unfiltered;
  return { data, filter: "FlateDecode", predictor, ...target, channels: samples.channels };
}

function fromSamples({ data, width, height, channels }: Samples): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

function scaled(picture: Sharp, size: TargetSize, target: TargetSize): Sharp {
  if (size.width === target.width && size.height === target.height) return picture;
  return picture.resize(target.width, target.height, { fit: "fill", kernel: "lanczos3" });
}

async function finishJpeg(
  picture: Sharp,
  target: TargetSize,
  channels: 1 | 3,
  quality: number,
): Promise<EncodedImage> {
  const data = await picture
    .toColourspace(channels === 1 ? "b-w" : "srgb")
    .jpeg({ mozjpeg: true, quality })
    .toBuffer();
  return { data, filter: "DCTDecode", predictor: false, ...target, channels };
}

/** PNG's image data is Flate data under the predictor that PDF took over from PNG. */
function imageDataOf(png: Buffer): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(parts);
}
