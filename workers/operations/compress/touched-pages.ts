/** Which pages show something that was changed: the others need not be looked at again. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFPageLeaf, PDFRef, PDFStream } from "pdf-lib";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import { reachableObjects } from "./reachable-objects.ts";

/** Indexes of the pages, in order, whose contents, resources or annotations reach one of the changed objects. */
export type TouchedPages = (changed: Iterable<PDFObject>) => number[];

// What leads from a page or an annotation to others, to the outline or to the tags, but is no part of how it looks.
const keysAway = new Set(
  ["Parent", "P", "Dest", "A", "AA", "Popup", "IRT", "B"].map((key) => PDFName.of(key)),
);

/** The document as it is now: what is changed later must not be what holds it together. */
export function createTouchedPages({ document, pages }: Pick<OpenedPdf, "document" | "pages">): TouchedPages {
  const holders = new Map<PDFObject, PDFRef[]>();
  const hold = (holder: PDFRef, object: PDFObject): void => {
    const known = holders.get(object);
    if (known === undefined) holders.set(object, [holder]);
    else known.push(holder);
  };
  for (const [ref, object] of reachableObjects(document.context)) {
    for (const inside of objectsInside(object)) hold(ref, inside);
  }
  for (const { ref, leaf } of pages) {
    const resources = leaf.getInheritableAttribute(PDFName.of("Resources"));
    for (const inside of resources ? objectsInside(resources) : []) hold(ref, inside);
  }
  return (changed) => {
    const touched = new Set<PDFRef>();
    const queue: PDFObject[] = [...changed];
    for (let object = queue.pop(); object; object = queue.pop()) {
      for (const holder of holders.get(object) ?? []) {
        if (touched.has(holder)) continue;
        touched.add(holder);
        queue.push(holder);
      }
    }
    return pages.flatMap(({ ref }, index) => (touched.has(ref) ? [index] : []));
  };
}

/** The object itself, whatever it directly holds, and the references in all that. */
function objectsInside(object: PDFObject): PDFObject[] {
  const found: PDFObject[] = [];
  const queue: PDFObject[] = [object];
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next instanceof PDFRef) found.push(next);
    else if (next instanceof PDFStream) {
      found.push(next);
      queue.push(next.dict);
    } else if (next instanceof PDFArray) queue.push(...next.asArray());
    else if (next instanceof PDFDict) {
      found.push(next);
      const leadsAway = next instanceof PDFPageLeaf || next.has(PDFName.of("Rect"));
      for (const [key, value] of next.entries()) if (!leadsAway || !keysAway.has(key)) queue.push(value);
    }
  }
  return found;
}
