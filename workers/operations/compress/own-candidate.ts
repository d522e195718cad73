/** Our own smaller form of a document, made in place, all its structure kept. */
import { type PDFContext, PDFName, PDFNumber, type PDFObject, PDFRawStream } from "pdf-lib";
import { filterSteps } from "../../../platform/pdf/decode-stream.ts";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import type { Comparison } from "./check-candidate.ts";
import type { LevelSettings } from "./compression-level.ts";
import type { ContentUses } from "./content-uses.ts";
import { dropUnused } from "./drop-unused.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { type ImageTask, imageTasks, type RecodedImages, recodeImages } from "./recode-images.ts";
import { reencodeStreams } from "./reencode-streams.ts";
import { sampled } from "./sampled-pages.ts";
import { shareIdentical } from "./share-identical.ts";
import { type SubsetFonts, subsetFonts } from "./subset-fonts.ts";
import { createTouchedPages, type TouchedPages } from "./touched-pages.ts";
import { writePdf } from "./write-pdf.ts";

export type OwnCandidate = {
  bytes: Uint8Array;
  method: "structure" | "images";
  /** What of it may differ from the document; and what it was written from, until a milder one is asked for. */
  comparison: Comparison;
  objects: PDFContext;
  /** Bytes of the images that were made smaller: no other engine makes much less of them. */
  imageBytes: number;
  /** The same with finer images, then with its images as they were, then its fonts too; undefined when nothing is left. */
  milder: (() => Promise<OwnCandidate>) | undefined;
};

export type OwnPlan = {
  /** What may have to be compared, known before the work is done. */
  comparison: Comparison;
  /** Its largest image takes so much memory that nothing else of that kind should be done beside it. */
  isLarge: boolean;
  make: () => Promise<OwnCandidate>;
};

export type OwnOptions = {
  uses: ContentUses;
  level: LevelSettings;
  packObjects: boolean;
  /** Whether the profiles of intended presses are part of what the file promises. */
  keepPrintProfiles: boolean;
  signal: AbortSignal;
};

const typeKey = PDFName.of("Type");
const metadataType = PDFName.of("Metadata");
const largePixels = 40_000_000;
// Where grain makes pages look different, this much better a JPEG keeps it.
const finerBy = 22;

/** Consumes the opened document: its objects are changed, at once and when the candidate is made. */
export function planOwn(opened: OpenedPdf, options: OwnOptions): OwnPlan {
  const { context } = opened.document;
  const groups = dropUnused(opened, options.uses);
  if (!options.keepPrintProfiles) opened.document.catalog.delete(PDFName.of("OutputIntents"));
  const streams = streamsOf(context);
  const touched = createTouchedPages(opened);
  const fonts = subsetFonts(context, options.uses);
  const tasks = imageTasks(options.uses);
  // Zlib undoes what it has done; of the other filters' decoders, and of what was judged unused, pages give the proof.
  const unproven = [...groups, ...(fonts?.programs ?? []), ...streams.filter(isUnusuallyPacked)];
  const compare = (images: Iterable<PDFObject>) => comparisonOf(touched, unproven, images);
  const tried = new Set(tasks.flatMap(({ image, mask }) => (mask ? [image, mask] : [image])));
  const packable = packableStreams(streams, options.packObjects);
  return {
    comparison: compare(tried),
    isLarge: tasks.some(({ image }) => pixelsOf(image) > largePixels),
    make: () => makeOwn({ context, options, tasks, tried, packable, fonts, compare }),
  };
}

type Work = {
  context: PDFContext;
  options: OwnOptions;
  tasks: readonly ImageTask[];
  tried: ReadonlySet<PDFRawStream>;
  packable: readonly PDFRawStream[];
  fonts: SubsetFonts | undefined;
  compare: (images: Iterable<PDFObject>) => Comparison;
};

async function makeOwn(work: Work): Promise<OwnCandidate> {
  const { context, options, tasks, tried, packable } = work;
  // Images that get smaller are packed on the way; the others wait until that is known.
  const [recoded] = await Promise.all([
    recodeImages(tasks, options.level, options.signal),
    reencodeStreams(packable.filter((stream) => !tried.has(stream))),
  ]);
  const images = recoded?.images ?? [];
  const done = new Set(images);
  await reencodeStreams(packable.filter((stream) => tried.has(stream) && !done.has(stream)));
  options.signal.throwIfAborted();
  shareIdentical(context);
  const made = { comparison: work.compare(images), packable, options };
  return written(context, made, images, milderSteps(work, recoded));
}

function milderSteps({ options, tasks, fonts }: Work, recoded: RecodedImages | undefined): Step[] {
  const { level, signal } = options;
  let current = recoded;
  const withFiner: Step = async () => {
    current?.undo();
    current = await recodeImages(tasks, { ...level, quality: level.quality + finerBy }, signal);
    return current?.images ?? [];
  };
  const withoutImages: Step = async () => {
    current?.undo();
    return [];
  };
  const withoutFonts: Step = async () => {
    fonts?.undo();
    return [];
  };
  return [...(recoded ? [withFiner, withoutImages] : []), ...(fonts ? [withoutFonts] : [])];
}

function pixelsOf({ dict }: PDFRawStream): number {
  const [width, height] = ["Width", "Height"].map((key) => dict.lookup(PDFName.of(key)));
  return width instanceof PDFNumber && height instanceof PDFNumber ? width.asNumber() * height.asNumber() : 0;
}

type Made = { comparison: Comparison; packable: readonly PDFRawStream[]; options: OwnOptions };

/** Takes back some of what was done; the images that are still smaller afterwards. */
type Step = () => Promise<readonly PDFRawStream[]>;

async function written(
  context: PDFContext,
  made: Made,
  images: readonly PDFRawStream[],
  [first, ...others]: readonly Step[],
): Promise<OwnCandidate> {
  const { comparison, packable, options } = made;
  const bytes = await writePdf(context, options);
  const milder = async (): Promise<OwnCandidate> => {
    const left = new Set(await first?.());
    await reencodeStreams(packable.filter((stream) => !left.has(stream)));
    return written(context, made, [...left], others);
  };
  return {
    bytes,
    method: images.length > 0 ? "images" : "structure",
    comparison,
    objects: context,
    imageBytes: images.reduce((sum, { contents }) => sum + contents.length, 0),
    milder: first && milder,
  };
}

/** Images change no text; whatever else was changed may. */
function comparisonOf(
  touched: TouchedPages,
  unproven: readonly PDFObject[],
  images: Iterable<PDFObject>,
): Comparison {
  return { texts: touched(unproven), pictures: sampled(touched([...unproven, ...images])) };
}

function streamsOf(context: PDFContext): PDFRawStream[] {
  return [...reachableObjects(context).values()].filter((object) => object instanceof PDFRawStream);
}

// PDF/A-1 wants its metadata readable to programs that know nothing of PDF (ISO 19005-1 §6.7.2).
function packableStreams(streams: readonly PDFRawStream[], packObjects: boolean): readonly PDFRawStream[] {
  return packObjects ? streams : streams.filter(({ dict }) => dict.get(typeKey) !== metadataType);
}

function isUnusuallyPacked({ dict }: PDFRawStream): boolean {
  const steps = filterSteps(dict) ?? [];
  return steps.some(({ name }) =>
    ["LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"].includes(name),
  );
}
