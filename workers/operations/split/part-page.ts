/** Writes one page of a part. */
import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, type PDFRef } from "pdf-lib";
import { newArray, newDict, newNumbers } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { inheritedEntry, type SourcePage } from "../copy-pages/source-pdf.ts";
import type { PagePlace } from "./part-copiers.ts";
import { isDeadLink } from "./part-links.ts";
import type { SplitSource } from "./split-source.ts";

/** What a page is and shows. Whatever else a program has left in it may tell of other pages. */
const keptKeys = [
  "Type",
  "Resources",
  "MediaBox",
  "CropBox",
  "BleedBox",
  "TrimBox",
  "ArtBox",
  "BoxColorInfo",
  "Contents",
  "Rotate",
  "Group",
  "Dur",
  "Trans",
  "AA",
  "PZ",
  "Tabs",
  "UserUnit",
  "VP",
  "AF",
  "OutputIntents",
].map((key) => PDFName.of(key));
const inheritedKeys = ["Resources", "MediaBox", "CropBox", "Rotate"];
const usLetter = [0, 0, 612, 792];

export type PartPageTarget = {
  copier: ObjectCopier;
  writer: PdfWriter;
  parent: PDFRef;
  pages: ReadonlyMap<number, PDFRef>;
  /** By which the part's tags find the page. */
  structureKey: number | undefined;
};

export function copyPartPage(source: SplitSource, { page, ref }: PagePlace, target: PartPageTarget): void {
  const { copier, writer, parent, pages, structureKey } = target;
  const { leaf } = source.pages[page] as SourcePage;
  const entries = PDFDict.withContext(source.context);
  for (const key of keptKeys) {
    const value = leaf.get(key);
    if (value) entries.set(key, value);
  }
  for (const key of inheritedKeys) {
    const entry = entries.has(PDFName.of(key)) ? undefined : inheritedEntry(leaf, key);
    if (entry) entries.set(PDFName.of(key), entry.value);
  }
  const copy = copier.copyDict(entries);
  copy.set(PDFName.Parent, parent);
  if (structureKey !== undefined) copy.set(PDFName.of("StructParents"), PDFNumber.of(structureKey));
  if (!copy.has(PDFName.MediaBox)) copy.set(PDFName.MediaBox, newNumbers(usLetter));
  if (!copy.has(PDFName.Resources)) copy.set(PDFName.Resources, newDict());
  const annotations = liveAnnotations(leaf.lookup(PDFName.Annots), source, pages).map((value) =>
    copier.copy(value),
  );
  const kept = annotations.filter((annotation) => annotation !== PDFNull);
  if (kept.length > 0) copy.set(PDFName.Annots, newArray(kept));
  writer.put(ref, copy);
  copier.drain();
}

function liveAnnotations(
  annotations: PDFObject | undefined,
  source: SplitSource,
  pages: ReadonlyMap<number, PDFRef>,
): PDFObject[] {
  if (!(annotations instanceof PDFArray)) return [];
  return annotations.asArray().filter((value) => {
    const annotation = source.context.lookup(value);
    return annotation instanceof PDFDict && !isDeadLink(annotation, source, pages);
  });
}
