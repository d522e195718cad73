/** The outline (bookmarks) of a test document. */
import { type PDFDict, type PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef } from "pdf-lib";

/** Pages count from 1. */
export type OutlinePlan = { title: string; page: number; children?: readonly OutlinePlan[] };

/** Gives the document an outline, every entry of it open. */
export function addOutline(document: PDFDocument, entries: readonly OutlinePlan[]): void {
  const root = document.context.obj({ Type: "Outlines" });
  const rootRef = document.context.register(root);
  addChildren(document, root, rootRef, entries);
  document.catalog.set(PDFName.of("Outlines"), rootRef);
}

function addChildren(
  document: PDFDocument,
  parent: PDFDict,
  parentRef: PDFRef,
  entries: readonly OutlinePlan[],
): number {
  const { context } = document;
  const refs = entries.map(() => context.nextRef());
  let count = entries.length;
  entries.forEach((entry, index) => {
    const ref = refs[index] as PDFRef;
    const target = [document.getPage(entry.page - 1).ref, "Fit"];
    const item = context.obj({ Title: PDFHexString.fromText(entry.title), Parent: parentRef, Dest: target });
    const [previous, next] = [refs[index - 1], refs[index + 1]];
    if (previous) item.set(PDFName.of("Prev"), previous);
    if (next) item.set(PDFName.of("Next"), next);
    if (entry.children?.length) count += addChildren(document, item, ref, entry.children);
    context.assign(ref, item);
  });
  const [first, last] = [refs[0], refs.at(-1)];
  if (first && last) {
    parent.set(PDFName.of("First"), first);
    parent.set(PDFName.of("Last"), last);
    parent.set(PDFName.of("Count"), PDFNumber.of(count));
  }
  return count;
}
