/** Copies one file into the merged document. */
import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFObject, type PDFRef } from "pdf-lib";
import type { Destination } from "../copy-pages/destination.ts";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import { createObjectCopier, type ObjectCopier } from "../copy-pages/object-copier.ts";
import {
  type NewOutlineEntry,
  type OutlineEntry,
  outlinePlaceKeys,
  readOutline,
} from "../copy-pages/outline.ts";
import { plainText, textAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { copyPage, type InheritedResources } from "./copy-page.ts";
import type { MergeTarget } from "./merged-document.ts";
import type { SourceFields } from "./merged-fields.ts";
import { type PageScale, pageScale } from "./page-scale.ts";
import { scaleAnnotation } from "./scale-annotation.ts";
import { scaleDestination } from "./scale-destination.ts";

export function mergeSource(target: MergeTarget, source: SourcePdf): void {
  const { writer, pageSize } = target;
  const scales = pageSize === "original" ? [] : source.pages.map((page) => pageScale(page, pageSize));
  const pageRefs = source.pages.map(() => writer.reserve());
  const destinations = target.destinations.forSource(source);
  const structure = target.structure.forSource(source);
  const annotationScales = scales.length > 0 ? scalesOfAnnotations(source, scales) : undefined;
  let fields: SourceFields | undefined;

  const copier = createObjectCopier({
    source,
    writer,
    shared: target.shared,
    amend(copy, original) {
      structure.amend(copy, original);
      fields?.amend(copy, original);
      amendLink(copy, original, (value) => destinations.rewrite(value, place));
      const scale = annotationScales?.get(original);
      if (scale) scaleAnnotation(copy, original, scale);
    },
  });
  const place = (destination: Destination) => placeOnPage(destination, pageRefs, scales, copier);

  for (const [index, { ref }] of source.pages.entries()) copier.seed(ref, pageRefs[index] as PDFRef);
  fields = target.fields.forSource(source, copier);
  copyPages(target, source, copier, { pageRefs, scales });
  fields.take();
  destinations.keep(place);
  target.nameTrees.take(source, copier);
  target.layers.take(source, copier);
  target.settings.take(source, copier, (value) => destinations.rewrite(value, place));
  target.outline.push(topEntry(source, copier, pageRefs[0] as PDFRef, target.outline.length + 1));
  copier.drain();
  structure.take(copier);
}

function copyPages(
  { writer, pageTree }: MergeTarget,
  source: SourcePdf,
  copier: ObjectCopier,
  places: { pageRefs: readonly PDFRef[]; scales: readonly PageScale[] },
) {
  const inherited: InheritedResources = new Map();
  for (const [index, page] of source.pages.entries()) {
    const ref = places.pageRefs[index] as PDFRef;
    copyPage(
      { page, ref, parent: pageTree.add(ref), scale: places.scales[index] },
      copier,
      writer,
      inherited,
    );
    // Page by page, so that what waits to be written stays little.
    copier.drain();
  }
}

/** Rewrites where a link, an outline entry or a `GoTo` action leads. */
function amendLink(
  copy: PDFDict,
  source: PDFDict,
  rewrite: (value: PDFObject | undefined) => PDFObject | undefined,
) {
  if (source.has(destKey)) setOrDelete(copy, destKey, rewrite(source.get(destKey)));
  if (source.get(actionKindKey) !== goTo) return;
  setOrDelete(copy, actionTargetKey, rewrite(source.get(actionTargetKey)));
  // The same place by structure element: readers fall back on the one above.
  copy.delete(structureTargetKey);
}

const destKey = PDFName.of("Dest");
const actionKindKey = PDFName.of("S");
const goTo = PDFName.of("GoTo");
const actionTargetKey = PDFName.of("D");
const structureTargetKey = PDFName.of("SD");

function setOrDelete(dict: PDFDict, key: PDFName, value: PDFObject | undefined) {
  if (value) dict.set(key, value);
  else dict.delete(key);
}

function placeOnPage(
  { page, array }: Destination,
  pageRefs: readonly PDFRef[],
  scales: readonly PageScale[],
  copier: ObjectCopier,
): PDFArray {
  const rest = array
    .asArray()
    .slice(1)
    .map((element) => copier.copy(element));
  const placed = newArray([pageRefs[page] as PDFRef, ...rest]);
  const scale = scales[page];
  if (scale) scaleDestination(placed, scale);
  return placed;
}

function scalesOfAnnotations(source: SourcePdf, scales: readonly PageScale[]): Map<PDFDict, PageScale> {
  const byAnnotation = new Map<PDFDict, PageScale>();
  for (const [index, { leaf }] of source.pages.entries()) {
    const annotations = leaf.lookup(PDFName.Annots);
    for (const value of annotations instanceof PDFArray ? annotations.asArray() : []) {
      const annotation = source.context.lookup(value);
      if (annotation instanceof PDFDict) byAnnotation.set(annotation, scales[index] as PageScale);
    }
  }
  return byAnnotation;
}

/** The file's own entry, at its first page, with the file's outline beneath. */
function topEntry(
  source: SourcePdf,
  copier: ObjectCopier,
  firstPage: PDFRef,
  number: number,
): NewOutlineEntry {
  const title = source.info && plainText(textAt(source.info, "Title")).trim();
  return {
    dict: newDict({
      Title: PDFHexString.fromText(title || `Document ${number}`),
      Dest: newArray([firstPage, PDFName.of("Fit")]),
    }),
    open: true,
    children: copyEntries(readOutline(source.catalog), copier),
  };
}

function copyEntries(entries: readonly OutlineEntry[], copier: ObjectCopier): NewOutlineEntry[] {
  return entries.map(({ dict, open, children }) => ({
    dict: copier.copyDict(dict, outlinePlaceKeys),
    open,
    children: copyEntries(children, copier),
  }));
}
