/** One image, at the size it is shown, in the form that takes least: or left as it is. */
import { PDFName, type PDFRawStream } from "pdf-lib";
import { decodeSteps } from "../../../platform/pdf/decode-stream.ts";
import { cmykToRgb } from "./cmyk-to-rgb.ts";
import type { LevelSettings } from "./compression-level.ts";
import type { ShownSize } from "./content-uses.ts";
import { type EncodedImage, encodeFlate, encodeJpeg, recodeJpeg, type TargetSize } from "./encode-samples.ts";
import { type ImageForm, imageForm } from "./image-form.ts";
import { greyOf, imageSamples, isGrey, type Samples } from "./image-samples.ts";
import { jpegFrame } from "./jpeg-frame.ts";

/** A smaller form of an image. `changesSpace` says that its samples are now plain grey or RGB. */
export type SmallerImage = EncodedImage & { changesSpace: boolean };

/** Images of more pixels stay as they are: decoding them would cost more than they are worth, or the slot its life. */
export const maxImagePixels = 120_000_000;
// A little finer than asked for is not worth a generation.
const finerThanNeeded = 1.15;
const worthwhile = 0.92;
// Where JPEG saves less than a fifth, the picture is a drawing, and drawings stay sharp.
const drawingRatio = 0.8;
const minSide = 8;
const maxJpegBytes = 128 * 2 ** 20;
// Black and white turned grey looks the same only where several dots become one.
const dotsToGrey = 2;

/** The smaller form; undefined when there is none, or when the image must not be touched. */
export async function smallerImage(
  image: PDFRawStream,
  shown: ShownSize,
  level: LevelSettings,
  isMask: boolean,
): Promise<SmallerImage | undefined> {
  const form = imageForm(image);
  if (form === undefined || form.width * form.height > maxImagePixels) return undefined;
  if (form.width < minSide || form.height < minSide) return undefined;
  const target = targetSize(form, shown, level.dotsPerInch);
  const codec = form.steps.at(-1)?.name;
  const smaller =
    codec === "DCTDecode"
      ? await smallerJpeg(image, form, target, level)
      : await smallerSamples(image, form, target, isMask ? { ...level, quality: 90 } : level);
  return smaller && smaller.data.length < image.contents.length * worthwhile ? smaller : undefined;
}

function targetSize({ width, height }: ImageForm, shown: ShownSize, dotsPerInch: number): TargetSize {
  const scale = Math.max(
    ((shown.width / 72) * dotsPerInch) / width,
    ((shown.height / 72) * dotsPerInch) / height,
  );
  if (scale * finerThanNeeded >= 1 || !(scale > 0)) return { width, height };
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function smallerJpeg(
  image: PDFRawStream,
  form: ImageForm,
  target: TargetSize,
  { quality }: LevelSettings,
): Promise<SmallerImage | undefined> {
  const last = form.steps.at(-1);
  const jpeg = decodeSteps(image.contents, form.steps.slice(0, -1), maxJpegBytes);
  const frame = jpeg && jpegFrame(jpeg);
  const channels = form.components;
  const agrees = frame?.components === channels && frame.width === form.width && frame.height === form.height;
  // A stated colour transform overrules the JPEG's own marks, which libvips would follow.
  const plain = last?.parms?.has(PDFName.of("ColorTransform")) !== true && form.palette === undefined;
  if (!jpeg || !agrees || !plain || frame.bits !== 8 || (channels !== 1 && channels !== 3)) return undefined;
  const options = { channels, quality, maxPixels: maxImagePixels } as const;
  return { ...(await recodeJpeg(jpeg, form, target, options)), changesSpace: false };
}

async function smallerSamples(
  image: PDFRawStream,
  form: ImageForm,
  target: TargetSize,
  { quality }: LevelSettings,
): Promise<SmallerImage | undefined> {
  const reduction = form.width / target.width;
  // Black and white, and palettes at their own size: no lossy form does better without showing it.
  if (
    form.bitsPerComponent === 1
      ? reduction < dotsToGrey
      : form.palette?.components !== 4 && form.palette && reduction === 1
  )
    return;
  const stored = await plainSamples(image, form);
  if (stored === undefined) return undefined;
  const toGrey = isGrey(stored);
  const samples = toGrey ? greyOf(stored) : stored;
  const [jpeg, flate] = await Promise.all([
    encodeJpeg(samples, target, quality),
    encodeFlate(samples, target),
  ]);
  const smallest = jpeg.data.length < flate.data.length * drawingRatio ? jpeg : flate;
  return { ...smallest, changesSpace: toGrey || form.palette !== undefined || form.components === 4 };
}

/** Grey or RGB samples; print colours come out as RGB, as on every screen. */
async function plainSamples(image: PDFRawStream, form: ImageForm): Promise<Samples | undefined> {
  const stored = imageSamples(image.contents, form, maxImagePixels * 4);
  if (stored?.channels !== 4) return stored as Samples | undefined;
  return cmykToRgb(stored.data, stored.width, stored.height, form.cmykProfile);
}
