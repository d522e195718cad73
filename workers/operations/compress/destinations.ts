/** Where a link, action or outline entry leads, told in words that survive renumbering (ISO 32000-1 §12.3.2). */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFString,
} from "pdf-lib";
import { stringText } from "../../../platform/pdf/string-bytes.ts";

/** Says where an annotation's or outline item's `Dest` or `A` leads: `page 3`, `uri …`, `nowhere`, or the action's name. */
export type DescribeTarget = (holder: PDFDict) => string;

const maxNames = 100_000;

/** Reads the document's named destinations once; the result resolves any target in it. */
export function createDescribeTarget(document: PDFDocument, pageRefs: readonly PDFRef[]): DescribeTarget {
  const pageIndexes = new Map(pageRefs.map((ref, index) => [ref, index]));
  let names: Map<string, PDFObject> | undefined;
  const describeDestination = (destination: PDFObject | undefined): string => {
    if (
      destination instanceof PDFName ||
      destination instanceof PDFString ||
      destination instanceof PDFHexString
    ) {
      names ??= namedDestinations(document);
      const named = names.get(textOf(destination));
      const target = named instanceof PDFDict ? named.lookup(PDFName.of("D")) : named;
      return target instanceof PDFArray ? describeDestination(target) : "nowhere";
    }
    if (!(destination instanceof PDFArray) || destination.size() === 0) return "nowhere";
    const page = destination.get(0);
    const index = page instanceof PDFRef ? pageIndexes.get(page) : undefined;
    if (index !== undefined) return `page ${index + 1}`;
    // A number stands for a page of another file, and some writers mean their own.
    return page instanceof PDFRef ? "nowhere" : `page ${page.toString()}`;
  };
  return (holder) => {
    const destination = holder.lookup(PDFName.of("Dest"));
    if (destination !== undefined) return describeDestination(destination);
    const action = holder.lookup(PDFName.of("A"));
    if (!(action instanceof PDFDict)) return "nothing";
    const kind = action.lookup(PDFName.of("S"))?.toString();
    if (kind === "/GoTo") return describeDestination(action.lookup(PDFName.of("D")));
    return kind === "/URI" ? `uri ${textOf(action.lookup(PDFName.of("URI")))}` : (kind ?? "nothing");
  };
}

/** The text of a string or name object. */
export function textOf(object: PDFObject | undefined): string {
  if (object instanceof PDFName) return object.decodeText();
  return stringText(object) ?? object?.toString() ?? "";
}

function namedDestinations(document: PDFDocument): Map<string, PDFObject> {
  const found = new Map<string, PDFObject>();
  const old = document.catalog.lookup(PDFName.of("Dests"));
  if (old instanceof PDFDict) {
    for (const key of old.keys()) {
      const target = old.lookup(key);
      if (target) found.set(key.decodeText(), target);
    }
  }
  const names = document.catalog.lookup(PDFName.of("Names"));
  const tree = names instanceof PDFDict ? names.lookup(PDFName.of("Dests")) : undefined;
  const seen = new Set<PDFObject>();
  const queue: (PDFObject | undefined)[] = [tree];
  while (queue.length > 0 && found.size < maxNames) {
    const node = queue.pop();
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const leaves = node.lookup(PDFName.of("Names"));
    for (let index = 0; leaves instanceof PDFArray && index + 1 < leaves.size(); index += 2) {
      const target = leaves.lookup(index + 1);
      if (target) found.set(textOf(leaves.lookup(index)), target);
    }
    const kids = node.lookup(PDFName.of("Kids"));
    for (let index = 0; kids instanceof PDFArray && index < kids.size(); index += 1)
      queue.push(kids.lookup(index));
  }
  return found;
}
