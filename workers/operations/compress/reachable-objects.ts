/** The objects that a document still uses: what cannot be reached from the trailer is no part of it. */
import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRef, PDFStream } from "pdf-lib";

/** Reachable objects by reference, parents before their children, so that neighbours in the file resemble each other. */
export function reachableObjects(context: PDFContext): Map<PDFRef, PDFObject> {
  const found = new Map<PDFRef, PDFObject>();
  const queue: PDFRef[] = [];
  const reach = (object: PDFObject | undefined): void => {
    const inside: (PDFObject | undefined)[] = [object];
    while (inside.length > 0) {
      const next = inside.pop();
      if (next instanceof PDFRef) {
        const target = found.has(next) ? undefined : context.lookup(next);
        if (target === undefined) continue;
        found.set(next, target);
        queue.push(next);
      } else if (next instanceof PDFArray) inside.push(...next.asArray().toReversed());
      else if (next instanceof PDFDict) inside.push(...next.values().reverse());
      else if (next instanceof PDFStream) inside.push(next.dict);
    }
  };
  const { Root, Info } = context.trailerInfo;
  reach(Root);
  reach(Info);
  for (let index = 0; index < queue.length; index += 1) {
    const target = found.get(queue[index] as PDFRef);
    reach(target);
  }
  return found;
}
