/** Our own smaller form of a document, made in place, all its structure kept. */
import { type PDFContext, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { filterSteps } from "../../../platform/pdf/decode-stream.ts";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import type { Comparison } from "./check-candidate.ts";
import type { LevelSettings } from "./compression-level.ts";
import type { ContentUses } from "./content-uses.ts";
import { dropUnused } from "./drop-unused.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { imageTasks, recodeImages } from "./recode-images.ts";
import { reencodeStreams } from "./reencode-streams.ts";
import { sampled } from "./sampled-pages.ts";
import { shareIdentical } from "./share-identical.ts";
import { subsetFonts } from "./subset-fonts.ts";
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
  /** The same with its images as they were, then with its fonts as they were too; undefined when nothing is left to undo. */
  milder: (() => Promise<OwnCandidate>) | undefined;
};

export type OwnPlan = {
  /** What may have to be compared, known before the work is done. */
  comparison: Comparison;
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

/** Consumes the opened document: its objects are changed, at once and when the candidate is made. */
export function planOwn(opened: OpenedPdf, options: OwnOptions): OwnPlan {
  const { context } = opened.document;
  const { uses, level, signal } = options;
  const groups = dropUnused(opened, uses);
  if (!options.keepPrintProfiles) opened.document.catalog.delete(PDFName.of("OutputIntents"));
  const streams = streamsOf(context);
  const touched = createTouchedPages(opened);
  const fonts = subsetFonts(context, uses);
  const tasks = imageTasks(uses);
  // Zlib undoes what it has done; of the other filters' decoders, and of what was judged unused, pages give the proof.
  const unproven = [...groups, ...(fonts?.programs ?? []), ...streams.filter(isUnusuallyPacked)];
  const tried = new Set(tasks.flatMap(({ image, mask }) => (mask ? [image, mask] : [image])));
  const make = async (): Promise<OwnCandidate> => {
    const packable = packableStreams(streams, options.packObjects);
    // Images that get smaller are packed on the way; the others wait until that is known.
    const [recoded] = await Promise.all([
      recodeImages(tasks, level, signal),
      reencodeStreams(packable.filter((stream) => !tried.has(stream))),
    ]);
    const done = new Set(recoded?.images);
    await reencodeStreams(packable.filter((stream) => tried.has(stream) && !done.has(stream)));
    signal.throwIfAborted();
    shareIdentical(context);
    const images = recoded?.images ?? [];
    const state = { comparison: comparisonOf(touched, unproven, images), packable, options };
    const undos = [recoded?.undo, fonts?.undo].filter((undo) => undo !== undefined);
    return written(context, state, images, undos);
  };
  return { comparison: comparisonOf(touched, unproven, tried), make };
}

type Made = { comparison: Comparison; packable: readonly PDFRawStream[]; options: OwnOptions };

async function written(
  context: PDFContext,
  made: Made,
  images: readonly PDFRawStream[],
  [first, ...others]: readonly (() => void)[],
): Promise<OwnCandidate> {
  const { comparison, packable, options } = made;
  const bytes = await writePdf(context, options);
  const milder = async (): Promise<OwnCandidate> => {
    first?.();
    await reencodeStreams(packable);
    return written(context, made, [], others);
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
