/** Our own smaller form of a document, made in place, all its structure kept. */
import { PDFName, PDFRawStream } from "pdf-lib";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import type { LevelSettings } from "./compression-level.ts";
import type { ContentUses } from "./content-uses.ts";
import { dropUnused } from "./drop-unused.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { recodeImages } from "./recode-images.ts";
import { reencodeStreams } from "./reencode-streams.ts";
import { shareIdentical } from "./share-identical.ts";
import { subsetFonts } from "./subset-fonts.ts";
import { writePdf } from "./write-pdf.ts";

export type OwnCandidate = {
  bytes: Uint8Array;
  method: "structure" | "images";
  /** The same with its images as they were, then with its fonts as they were too; undefined when nothing is left to undo. */
  milder: (() => Promise<OwnCandidate>) | undefined;
};

const typeKey = PDFName.of("Type");
const metadataType = PDFName.of("Metadata");

export type OwnOptions = {
  uses: ContentUses;
  level: LevelSettings;
  packObjects: boolean;
  /** Whether the profiles of intended presses are part of what the file promises. */
  keepPrintProfiles: boolean;
  signal: AbortSignal;
};

/** Consumes the opened document: its objects are changed. */
export async function ownCandidate(opened: OpenedPdf, options: OwnOptions): Promise<OwnCandidate> {
  const { context } = opened.document;
  const { uses, level, packObjects, signal } = options;
  dropUnused(opened, uses);
  if (!options.keepPrintProfiles) opened.document.catalog.delete(PDFName.of("OutputIntents"));
  const streams = [...reachableObjects(context).values()].filter((object) => object instanceof PDFRawStream);
  // PDF/A-1 wants its metadata readable to programs that know nothing of PDF (ISO 19005-1 §6.7.2).
  const packable = packObjects
    ? streams
    : streams.filter((stream) => stream.dict.get(typeKey) !== metadataType);
  const undoFonts = subsetFonts(context, uses);
  const undoImages = await recodeImages(uses, level, signal);
  await reencodeStreams(packable);
  signal.throwIfAborted();
  shareIdentical(context);
  const write = async (method: OwnCandidate["method"], undos: readonly Undo[]): Promise<OwnCandidate> => {
    const bytes = await writePdf(context, { packObjects });
    const [first, ...others] = undos;
    if (first === undefined) return { bytes, method, milder: undefined };
    const milder = async (): Promise<OwnCandidate> => {
      first();
      await reencodeStreams(packable);
      return write("structure", others);
    };
    return { bytes, method, milder };
  };
  return write(
    undoImages ? "images" : "structure",
    [undoImages, undoFonts].filter((undo) => undo !== undefined),
  );
}

type Undo = () => void;
