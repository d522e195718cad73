/** The input's structure tree ("tags", ISO 32000-1 §14.7), found from its pages and annotations. */
import { PDFDict, PDFName, type PDFObject, type PDFRef } from "pdf-lib";
import { readNumberTree } from "../copy-pages/name-tree.ts";
import { dictAt, refAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";

export type StructureIndex = {
  root: PDFRef;
  tree: PDFDict;
  /** What a page's or annotation's key stands for: its elements by number of marked content, or its one element. */
  byKey: ReadonlyMap<number, PDFObject>;
};

/** @returns undefined for a document without tags */
export function indexStructure({ catalog }: SourcePdf): StructureIndex | undefined {
  const root = refAt(catalog, "StructTreeRoot");
  const tree = dictAt(catalog, "StructTreeRoot");
  if (!root || !tree) return undefined;
  const byKey = new Map(readNumberTree(dictAt(tree, "ParentTree")));
  return byKey.size > 0 ? { root, tree, byKey } : undefined;
}

const maxDepth = 128;

/** An element and those above it up to the root, the topmost last; empty when they do not lead there. */
export function pathToRoot(source: SourcePdf, { root }: StructureIndex, element: PDFRef): PDFRef[] {
  const path: PDFRef[] = [];
  let ref: PDFRef | undefined = element;
  while (ref && ref !== root) {
    const dict: PDFObject | undefined = source.context.lookup(ref);
    if (!(dict instanceof PDFDict) || !isElement(dict) || path.length > maxDepth) return [];
    path.push(ref);
    ref = refAt(dict, "P");
  }
  return ref ? path : [];
}

export function isElement(dict: PDFDict): boolean {
  return dict.get(PDFName.of("S")) instanceof PDFName;
}
