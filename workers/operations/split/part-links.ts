/** Links in a part: those that lead to its pages stay, the others lead nowhere and go. */
import { PDFArray, PDFDict, PDFName, type PDFObject, type PDFRef } from "pdf-lib";
import { destinationName } from "../copy-pages/destination.ts";
import { newArray } from "../copy-pages/new-object.ts";
import { dictAt } from "../copy-pages/read-object.ts";
import type { SplitSource } from "./split-source.ts";

type PageRefs = ReadonlyMap<number, PDFRef>;

const destKey = PDFName.of("Dest");
const actionTargetKey = PDFName.of("D");
const actionKeys = ["A", "PA", "Next"].map((key) => PDFName.of(key));

/** Takes out of a copied dictionary what leads out of the part, and points the rest at the part's pages. */
export function amendPartLinks(copy: PDFDict, original: PDFDict, source: SplitSource, pages: PageRefs): void {
  if (original.has(destKey)) setTarget(copy, original, destKey, source, pages);
  if (isJump(original)) {
    setTarget(copy, original, actionTargetKey, source, pages);
    // The same place by an element of the tags, which are left behind.
    copy.delete(PDFName.of("SD"));
  }
  for (const key of actionKeys) {
    const action = copy.has(key) ? original.lookup(key) : undefined;
    if (action instanceof PDFDict && isDead(action, source, pages)) copy.delete(key);
  }
}

/** Whether a link annotation has nowhere to lead in the part. */
export function isDeadLink(annotation: PDFDict, source: SplitSource, pages: PageRefs): boolean {
  if (annotation.get(PDFName.of("Subtype")) !== PDFName.of("Link")) return false;
  const action = dictAt(annotation, "A");
  if (action) return isDead(action, source, pages);
  return annotation.has(destKey) && !leadsTo(annotation.get(destKey), source, pages);
}

function isJump(dict: PDFDict): boolean {
  return dict.get(PDFName.of("S")) === PDFName.of("GoTo");
}

function isDead(action: PDFDict, source: SplitSource, pages: PageRefs): boolean {
  return isJump(action) && !leadsTo(action.get(actionTargetKey), source, pages);
}

function leadsTo(value: PDFObject | undefined, source: SplitSource, pages: PageRefs): boolean {
  const destination = source.resolve(value);
  return destination !== undefined && pages.has(destination.page);
}

function setTarget(copy: PDFDict, original: PDFDict, key: PDFName, source: SplitSource, pages: PageRefs) {
  const destination = source.resolve(original.get(key));
  const page = destination && pages.get(destination.page);
  if (!destination || !page) copy.delete(key);
  else if (!destinationName(original.lookup(key))?.startsWith("string:")) {
    copy.set(key, explicit(page, destination.array));
  }
}

/** A destination names a kind and numbers after its page; anything else in it has no meaning. */
function explicit(page: PDFRef, array: PDFArray): PDFArray {
  const elements = array.asArray().map((_, index) => array.lookup(index));
  return newArray([page, ...elements.slice(1).filter(isPlain)]);
}

function isPlain(element: PDFObject | undefined): element is PDFObject {
  return element !== undefined && !(element instanceof PDFDict || element instanceof PDFArray);
}
