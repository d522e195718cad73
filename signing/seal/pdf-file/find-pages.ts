/** The pages of a document opened in place, in reading order. Nothing of the tree is changed. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFPageLeaf, PDFPageTree, PDFRef } from "pdf-lib";
import type { PdfInPlace } from "./open-in-place.ts";

/** `inherited` gives an attribute of the page or of the nearest node above it (ISO 32000-1 §7.7.3.4). */
export type FoundPage = { ref: PDFRef; dict: PDFPageLeaf; inherited: (key: string) => PDFObject | undefined };

// As for uploads (platform/pdf/page-tree.ts).
const maxPages = 20_000;
const maxDepth = 100;

/** @throws Error where the tree loops, is too large, or holds a page that cannot be changed in place */
export function findPages({ context, catalog }: PdfInPlace): FoundPage[] {
  const pages: FoundPage[] = [];
  const seen = new Set<PDFRef>();
  walk(catalog.get(PDFName.of("Pages")), []);
  return pages;

  function walk(ref: PDFObject | undefined, above: readonly PDFDict[]): void {
    if (!(ref instanceof PDFRef)) throw new Error("a page is not an object of its own");
    const node = context.lookup(ref);
    if (!(node instanceof PDFDict) || seen.has(ref) || above.length > maxDepth)
      throw new Error("a broken page tree");
    seen.add(ref);
    const kids = node.lookup(PDFName.of("Kids"));
    const path = [node, ...above];
    // What the page's box is read with goes up the tree by these.
    if (above[0] !== undefined && node.lookup(PDFName.of("Parent")) !== above[0])
      throw new Error("a wrong parent");
    if (kids instanceof PDFArray) {
      if (!(node instanceof PDFPageTree)) throw new Error("a page tree without its type");
      for (const kid of kids.asArray()) walk(kid, path);
      return;
    }
    if (!(node instanceof PDFPageLeaf)) throw new Error("a page without its type");
    if (pages.length >= maxPages) throw new Error("too many pages");
    pages.push({ ref, dict: node, inherited: (key) => inheritedFrom(path, key) });
  }
}

function inheritedFrom(path: readonly PDFDict[], key: string): PDFObject | undefined {
  for (const node of path) {
    const value = node.lookup(PDFName.of(key));
    if (value !== undefined) return value;
  }
  return undefined;
}
