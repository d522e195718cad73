/** The input's structure tree ("tags", ISO 32000-1 §14.7), found from its pages and annotations. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from "pdf-lib";
import { readNumberTree } from "../copy-pages/name-tree.ts";
import { dictAt, refAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";

export type StructureIndex = {
  root: PDFRef;
  tree: PDFDict;
  /** What a page's or annotation's key stands for: its elements by number of marked content, or its one element. */
  byKey: ReadonlyMap<number, PDFObject>;
  /** Read once an element: the one above all may have a hundred thousand kids, and every part asks for a few. */
  kidsOf(element: PDFDict): ElementKids;
};

/** What stands under an element, by place in its order. */
export type ElementKids = {
  count: number;
  elements: ReadonlyMap<PDFRef, number>;
  /** Marked content and objects of pages, as the element names them. */
  content: readonly (readonly [place: number, PDFObject])[];
};

/** @returns undefined for a document without tags */
export function indexStructure({ catalog }: SourcePdf): StructureIndex | undefined {
  const root = refAt(catalog, "StructTreeRoot");
  const tree = dictAt(catalog, "StructTreeRoot");
  if (!root || !tree) return undefined;
  const byKey = new Map(readNumberTree(dictAt(tree, "ParentTree")));
  if (byKey.size === 0) return undefined;
  const known = new Map<PDFDict, ElementKids>();
  const kidsOf = (element: PDFDict) => {
    const kids = known.get(element) ?? readKids(element);
    known.set(element, kids);
    return kids;
  };
  return { root, tree, byKey, kidsOf };
}

function readKids(element: PDFDict): ElementKids {
  const value = element.get(PDFName.of("K"));
  const list = element.context.lookup(value);
  const kids = list instanceof PDFArray ? list.asArray() : value ? [value] : [];
  const elements = new Map<PDFRef, number>();
  const content: [number, PDFObject][] = [];
  for (const [place, kid] of kids.entries()) {
    const dict = element.context.lookup(kid);
    if (!(dict instanceof PDFDict) || !isElement(dict)) content.push([place, kid]);
    else if (kid instanceof PDFRef) elements.set(kid, place);
  }
  return { count: kids.length, elements, content };
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

function isElement(dict: PDFDict): boolean {
  return dict.get(PDFName.of("S")) instanceof PDFName;
}
