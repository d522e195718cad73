/** Reads every content stream of a document once, and notes what it uses. */
import { PDFArray, PDFDict, PDFName, type PDFObject, type PDFPageLeaf, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import { pageBox } from "../../../platform/pdf/page-box.ts";
import { annotationAppearances } from "./annotation-appearances.ts";
import { type ContentUses, noUses } from "./content-uses.ts";
import { identity, type Matrix, matrixOfObject, multiply } from "./matrix.ts";
import { type ContentHolder, readContent } from "./read-content.ts";

// One page's contents; more is no document but a bomb.
const maxStreamBytes = 128 * 2 ** 20;
const maxTotalBytes = 384 * 2 ** 20;
const maxDepth = 16;
const maxPlacements = 20_000;

/** An image where a content stream puts it, in that stream's own space. */
export type Placement = { image: PDFRawStream; matrix: Matrix };

/** What reading one content stream needs of the walk around it. */
export type Walk = {
  uses: ContentUses;
  /** The placements of a form's or pattern's content in the space of whoever shows it. */
  form: (form: PDFRawStream, inherited: PDFDict | undefined, depth: number) => readonly Placement[];
  glyphs: (font: PDFDict, inherited: PDFDict | undefined, depth: number) => void;
};

/**
 * Walks pages, forms, patterns, soft-mask groups, Type 3 glyphs and annotation appearances.
 * @throws Failure `too_complex` when a content stream unpacks to more than any document needs.
 */
export function walkContents({ pages }: OpenedPdf): ContentUses {
  const walk = createWalk();
  for (const { leaf } of pages) {
    const scale = pageBox(leaf).userUnit;
    const toPoints: Matrix = [scale, 0, 0, scale, 0, 0];
    const resources = asDict(leaf.getInheritableAttribute(PDFName.of("Resources")), leaf);
    for (const placement of walk.page(leaf, resources)) note(walk.uses, placement, toPoints);
    for (const { form, matrix } of annotationAppearances(leaf)) {
      for (const placement of walk.form(form, resources, 1))
        note(walk.uses, placement, multiply(matrix, toPoints));
    }
  }
  return walk.uses;
}

/** What the walk has met so far. */
type Progress = {
  uses: ContentUses;
  known: Map<PDFDict, readonly Placement[]>;
  /** Forms and fonts that are being read: one met again shows itself. */
  active: Set<PDFDict>;
  totalBytes: number;
};

function createWalk(): Walk & {
  page: (leaf: PDFPageLeaf, resources: PDFDict | undefined) => readonly Placement[];
} {
  const progress: Progress = { uses: noUses(), known: new Map(), active: new Set(), totalBytes: 0 };
  const { uses } = progress;
  const read: Read = ({ streams, ...holder }) => {
    const bytes = joined(streams.map((stream) => plainBytes(progress, stream)));
    const placed = readContent(walk, { ...holder, bytes });
    if (placed.length <= maxPlacements) return placed;
    uses.complete = false;
    return placed.slice(0, maxPlacements);
  };
  const walk = {
    uses,
    form: (form: PDFRawStream, inherited: PDFDict | undefined, depth: number) =>
      readForm(progress, read, form, { inherited, depth }),
    glyphs: (font: PDFDict, inherited: PDFDict | undefined, depth: number) =>
      readGlyphs(progress, read, font, { inherited, depth }),
    page(leaf: PDFPageLeaf, resources: PDFDict | undefined) {
      uses.holders.add(leaf);
      return read({ resources, depth: 0, streams: contentStreams(leaf.Contents()) });
    },
  };
  return walk;
}

type Read = (
  holder: Omit<ContentHolder, "bytes"> & { streams: readonly PDFRawStream[] },
) => readonly Placement[];
type Place = { inherited: PDFDict | undefined; depth: number };

function plainBytes(progress: Progress, stream: PDFRawStream): Uint8Array {
  const bytes = progress.totalBytes > maxTotalBytes ? undefined : decodeStream(stream, maxStreamBytes);
  if (bytes === undefined) progress.uses.complete = false;
  progress.totalBytes += bytes?.length ?? 0;
  return bytes ?? new Uint8Array();
}

function readForm(
  { uses, known, active }: Progress,
  read: Read,
  stream: PDFRawStream,
  { inherited, depth }: Place,
): readonly Placement[] {
  const { dict } = stream;
  if (active.has(dict)) uses.cyclic = true;
  const done = known.get(dict);
  if (done) return done;
  if (depth > maxDepth) {
    uses.complete = false;
    return [];
  }
  // Set before reading: a form that shows itself shows nothing more.
  known.set(dict, []);
  active.add(dict);
  uses.holders.add(dict);
  const resources = asDict(dict.get(PDFName.of("Resources")), dict) ?? inherited;
  const matrix = matrixOfObject(dict.lookup(PDFName.of("Matrix")));
  const placed = read({ resources, depth, streams: [stream] }).map((placement) => moved(placement, matrix));
  active.delete(dict);
  known.set(dict, placed);
  return placed;
}

function readGlyphs(
  { uses, active }: Progress,
  read: Read,
  font: PDFDict,
  { inherited, depth }: Place,
): void {
  if (active.has(font)) uses.cyclic = true;
  const procedures = font.lookup(PDFName.of("CharProcs"));
  if (uses.holders.has(font)) return;
  uses.holders.add(font);
  if (!(procedures instanceof PDFDict)) return;
  active.add(font);
  const resources = asDict(font.get(PDFName.of("Resources")), font) ?? inherited;
  for (const key of procedures.keys()) {
    const glyph = procedures.lookup(key);
    if (!(glyph instanceof PDFRawStream) || depth > maxDepth) continue;
    // The size of a glyph is known only where it is shown: its images are not measured.
    for (const { image } of read({ resources, depth: depth + 1, streams: [glyph] }))
      uses.unmeasured.add(image);
  }
  active.delete(font);
}

/** The streams of a page's Contents, one or several. */
export function contentStreams(contents: PDFObject | undefined): PDFRawStream[] {
  if (contents instanceof PDFRawStream) return [contents];
  if (!(contents instanceof PDFArray)) return [];
  const streams: PDFRawStream[] = [];
  for (let index = 0; index < contents.size(); index += 1) {
    const stream = contents.lookup(index);
    if (stream instanceof PDFRawStream) streams.push(stream);
  }
  return streams;
}

// Split contents are one stream to a reader, with white space between the parts.
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}

function moved({ image, matrix }: Placement, by: Matrix): Placement {
  return { image, matrix: by === identity ? matrix : multiply(matrix, by) };
}

function note(uses: ContentUses, { image, matrix }: Placement, toPoints: Matrix): void {
  const [a, b, c, d] = multiply(matrix, toPoints);
  const known = uses.images.get(image);
  uses.images.set(image, {
    width: Math.max(known?.width ?? 0, Math.hypot(a, b)),
    height: Math.max(known?.height ?? 0, Math.hypot(c, d)),
  });
}

function asDict(object: PDFObject | undefined, holder: PDFDict): PDFDict | undefined {
  const found = object && holder.context.lookup(object);
  return found instanceof PDFDict ? found : undefined;
}
