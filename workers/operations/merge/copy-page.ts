/** Writes one page of a file into the merged document. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import { newArray, newDict, newNumbers } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { pageContent, surplusRestores } from "../copy-pages/page-content.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { inheritedEntry, type SourcePage } from "../copy-pages/source-pdf.ts";
import { type PageScale, scaleBoxes, scalePrefix } from "./page-scale.ts";
import { scalePatterns } from "./scale-patterns.ts";

export type PageCopy = {
  page: SourcePage;
  /** The page's place in the target, and the node of the page tree above it. */
  ref: PDFRef;
  parent: PDFRef;
  scale: PageScale | undefined;
};

/** Resources that many pages inherit from one node, by their dictionary: written once, not once a page. */
export type InheritedResources = Map<PDFDict, PDFRef>;

const inheritedKeys = ["MediaBox", "CropBox", "Rotate"];
const leftOut = new Set(["Parent", "Resources", "Contents", "DPart"]);
const usLetter = [0, 0, 612, 792];

export function copyPage(
  { page, ref, parent, scale }: PageCopy,
  copier: ObjectCopier,
  writer: PdfWriter,
  inherited: InheritedResources,
): void {
  const copy = copier.copyDict(page.leaf, leftOut);
  copy.set(PDFName.Parent, parent);
  for (const key of inheritedKeys) {
    const entry = copy.has(PDFName.of(key)) ? undefined : inheritedEntry(page.leaf, key);
    if (entry) copy.set(PDFName.of(key), copier.copy(entry.value));
  }
  // A reader may refuse the whole page for this.
  if (!(page.leaf.lookup(PDFName.Annots) instanceof PDFArray)) copy.delete(PDFName.Annots);
  if (!copy.has(PDFName.MediaBox)) copy.set(PDFName.MediaBox, newNumbers(usLetter));
  copy.set(PDFName.Resources, copyResources(page, scale, copier, writer, inherited));
  const contents = page.leaf.get(PDFName.Contents);
  if (contents) copy.set(PDFName.Contents, copier.copy(contents));
  if (scale) scalePage(copy, page, scale, copier, writer);
  writer.put(ref, copy);
}

function copyResources(
  page: SourcePage,
  scale: PageScale | undefined,
  copier: ObjectCopier,
  writer: PdfWriter,
  inherited: InheritedResources,
): PDFObject {
  const entry = inheritedEntry(page.leaf, "Resources");
  const resources = page.leaf.context.lookup(entry?.value);
  if (!entry || !(resources instanceof PDFDict)) return newDict();
  if (scale && resources.has(PDFName.of("Pattern"))) return copier.copyDict(scalePatterns(resources, scale));
  if (entry.from === page.leaf || entry.value instanceof PDFRef) return copier.copy(entry.value);
  const known = inherited.get(resources);
  if (known) return known;
  const written = writer.add(copier.copyDict(resources));
  inherited.set(resources, written);
  return written;
}

function scalePage(
  copy: PDFDict,
  page: SourcePage,
  scale: PageScale,
  copier: ObjectCopier,
  writer: PdfWriter,
) {
  scaleBoxes(copy, page, scale);
  const content = pageContent(page);
  const prefix = Buffer.from(scalePrefix(scale, content ? surplusRestores(content) : 0), "latin1");
  const stream = PDFRawStream.of(newDict({ Length: page.leaf.context.obj(prefix.length) }), prefix);
  const contents = page.leaf.lookup(PDFName.Contents);
  const own = contents instanceof PDFArray ? copier.copy(contents) : copy.get(PDFName.Contents);
  const rest = own instanceof PDFArray ? own.asArray() : own ? [own] : [];
  copy.set(PDFName.Contents, newArray([writer.add(stream), ...rest]));
}
