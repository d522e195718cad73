/** Every image that the contents show, made smaller where that is right; several at a time. */
import { type PDFDict, PDFName, PDFNumber, PDFRawStream } from "pdf-lib";
import type { LevelSettings } from "./compression-level.ts";
import type { ContentUses, ShownSize } from "./content-uses.ts";
import { type SmallerImage, smallerImage } from "./recode-image.ts";
import { replaceContents } from "./reencode-streams.ts";

/** The images that were replaced, and how to put them back as they were. */
export type RecodedImages = { images: readonly PDFRawStream[]; undo: () => void };

// libvips has threads of its own; more at a time only hold more pixels in memory.
const atOnce = 3;

/** One image to try. `mask` is a soft mask that must be given the image's new size with it, or neither. */
export type ImageTask = { image: PDFRawStream; shown: ShownSize; isMask: boolean; mask?: PDFRawStream };

/** Replaces images in place; undefined when none got smaller. */
export async function recodeImages(
  tasks: readonly ImageTask[],
  level: LevelSettings,
  signal: AbortSignal,
): Promise<RecodedImages | undefined> {
  const waiting = [...tasks];
  const undone = new Map<PDFRawStream, () => void>();
  const work = async (): Promise<void> => {
    for (let task = waiting.pop(); task; task = waiting.pop()) {
      signal.throwIfAborted();
      const { image, shown, isMask, mask } = task;
      // An image that libvips cannot read stays as it is.
      const smaller = await smallerImage(image, shown, level, isMask).catch(() => undefined);
      if (smaller === undefined) continue;
      const smallerMask = mask && (await smallerImage(mask, shown, level, true).catch(() => undefined));
      const staysWhole = smallerMask?.width === smaller.width && smallerMask.height === smaller.height;
      if (mask && !staysWhole) continue;
      undone.set(image, replaceImage(image, smaller));
      if (mask && smallerMask) undone.set(mask, replaceImage(mask, smallerMask));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (undone.size === 0) return undefined;
  const undo = () => {
    for (const undoOne of undone.values()) undoOne();
  };
  return { images: [...undone.keys()], undo };
}

/** What of the shown images may be tried, the largest last. */
export function imageTasks({ images, unmeasured }: ContentUses): ImageTask[] {
  const masks = new Map<PDFRawStream, ShownSize>();
  const preblended = new Set<PDFRawStream>();
  const tasks: ImageTask[] = [];
  for (const [image, shown] of images) {
    if (unmeasured.has(image)) continue;
    const mask = image.dict.lookup(PDFName.of("SMask"));
    if (mask instanceof PDFRawStream) {
      const known = masks.get(mask);
      masks.set(mask, {
        width: Math.max(known?.width ?? 0, shown.width),
        height: Math.max(known?.height ?? 0, shown.height),
      });
      // Preblended colours belong to the mask's own pixels (§11.6.5.3): the two must keep one size, and the mask is
      // rarely what is large.
      if (mask.dict.has(PDFName.of("Matte"))) preblended.add(mask);
    }
    const hasMatte = mask instanceof PDFRawStream && preblended.has(mask);
    if (!hasMatte) tasks.push({ image, shown, isMask: false });
    else if (sameSize(image, mask)) tasks.push({ image, shown, isMask: false, mask });
  }
  for (const [image, shown] of masks) if (!preblended.has(image)) tasks.push({ image, shown, isMask: true });
  return tasks.sort((a, b) => a.image.contents.length - b.image.contents.length);
}

function sameSize({ dict }: PDFRawStream, mask: PDFRawStream): boolean {
  return ["Width", "Height"].every((key) => {
    return dict.lookup(PDFName.of(key))?.toString() === mask.dict.lookup(PDFName.of(key))?.toString();
  });
}

function replaceImage(image: PDFRawStream, smaller: SmallerImage): () => void {
  const { dict } = image;
  const before = { contents: image.contents, entries: dict.entries() };
  replaceContents(image, smaller.data, [smaller.filter]);
  dict.set(PDFName.of("Width"), PDFNumber.of(smaller.width));
  dict.set(PDFName.of("Height"), PDFNumber.of(smaller.height));
  dict.set(PDFName.of("BitsPerComponent"), PDFNumber.of(8));
  dict.delete(PDFName.of("Decode"));
  if (smaller.changesSpace) {
    dict.set(PDFName.of("ColorSpace"), PDFName.of(smaller.channels === 1 ? "DeviceGray" : "DeviceRGB"));
  }
  if (smaller.predictor) dict.set(PDFName.of("DecodeParms"), predictorParms(dict, smaller));
  return () => {
    for (const key of dict.keys()) dict.delete(key);
    for (const [key, value] of before.entries) dict.set(key, value);
    (image as { contents: Uint8Array }).contents = before.contents;
  };
}

function predictorParms({ context }: PDFDict, { channels, width }: SmallerImage): PDFDict {
  return context.obj({ Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width });
}
