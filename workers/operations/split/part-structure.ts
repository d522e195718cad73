/**
 * The tags of a part: the elements with content on its pages and those above them. An element that also has content
 * elsewhere loses its descriptions, which may tell of that.
 */
import { PDFArray, PDFBool, PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef } from "pdf-lib";
import { writeNumberTree } from "../copy-pages/name-tree.ts";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { dictAt, nameAt, numberAt, refAt } from "../copy-pages/read-object.ts";
import type { SplitSource } from "./split-source.ts";
import { isElement, pathToRoot, type StructureIndex } from "./structure-index.ts";

export type PartStructure = {
  /** The key that a page of the part gets; undefined for a page without tags. */
  keyOfPage(page: number): number | undefined;
  /** Gives a copied annotation its key. */
  amend(copy: PDFDict, original: PDFDict): void;
  /** Catalog entries, once all pages are copied. */
  write(copier: ObjectCopier, writer: PdfWriter): Record<string, PDFObject>;
};

const pageKey = "StructParents";
const annotationKey = "StructParent";

/** @param pages where the part's pages are, by their index in the input */
export function createPartStructure(
  source: SplitSource,
  pages: ReadonlyMap<number, PDFRef>,
): PartStructure | undefined {
  const { structure } = source;
  if (!structure) return undefined;
  /** By new key what the old one stands for. */
  const kept: PDFObject[] = [];
  const keep = (owner: PDFDict, name: string): number | undefined => {
    const found = structure.byKey.get(numberAt(owner, name) ?? -1);
    return found && kept.push(found) - 1;
  };
  return {
    keyOfPage: (page) => keep(source.pages[page]?.leaf as PDFDict, pageKey),
    amend(copy, original) {
      if (!original.has(PDFName.of(annotationKey))) return;
      const key = original.has(PDFName.of("Rect")) ? keep(original, annotationKey) : undefined;
      if (key !== undefined) copy.set(PDFName.of(annotationKey), PDFNumber.of(key));
    },
    write(copier, writer) {
      return writeTree({ source, structure, pages, copier, writer, kept });
    },
  };
}

type Tree = {
  source: SplitSource;
  structure: StructureIndex;
  pages: ReadonlyMap<number, PDFRef>;
  copier: ObjectCopier;
  writer: PdfWriter;
  kept: readonly PDFObject[];
};

function writeTree(tree: Tree): Record<string, PDFObject> {
  const { source, structure, writer, kept } = tree;
  const needed = new Set<PDFRef>();
  for (const ref of kept.flatMap((value) => elementRefs(source, value))) {
    for (const above of pathToRoot(source, structure, ref)) needed.add(above);
  }
  if (needed.size === 0) return {};
  const root = writer.reserve();
  const elements = new Map<PDFRef, PDFRef>();
  for (const ref of needed) elements.set(ref, writer.reserve());
  for (const [ref, target] of elements) {
    const dict = source.context.lookup(ref, PDFDict);
    const above = elements.get(refAt(dict, "P") as PDFRef) ?? root;
    const copy = copyElement(tree, { ref, dict }, elements);
    copy.set(PDFName.of("P"), above);
    writer.put(target, copy);
  }
  const tops = kidsOf(structure.tree).flatMap((kid) =>
    kid instanceof PDFRef ? (elements.get(kid) ?? []) : [],
  );
  writer.put(
    root,
    newDict({
      Type: PDFName.of("StructTreeRoot"),
      K: newArray(tops),
      ParentTree: writeNumberTree(writer, parentTree(source, kept, elements)),
      ParentTreeNextKey: PDFNumber.of(kept.length),
      RoleMap: usedRoles(tree, elements),
    }),
  );
  return { StructTreeRoot: root, MarkInfo: newDict({ Marked: PDFBool.True }) };
}

function parentTree(
  source: SplitSource,
  kept: readonly PDFObject[],
  elements: ReadonlyMap<PDFRef, PDFRef>,
): Map<number, PDFObject> {
  const target = (value: PDFObject) => (value instanceof PDFRef && elements.get(value)) || PDFNull;
  return new Map(
    kept.map((value, key) => {
      const list = source.context.lookup(value);
      return [key, list instanceof PDFArray ? newArray(list.asArray().map(target)) : target(value)];
    }),
  );
}

const descriptions = ["T", "Alt", "ActualText", "E", "A"];

type Element = { ref: PDFRef; dict: PDFDict };

function copyElement(tree: Tree, element: Element, elements: ReadonlyMap<PDFRef, PDFRef>): PDFDict {
  const { copier } = tree;
  const { dict } = element;
  const kids = kidsOf(dict);
  const copied = kids.flatMap((kid) => copyKid(tree, element, kid, elements) ?? []);
  const copy = copier.copyDict(newDict({ S: dict.get(PDFName.of("S")), Lang: dict.get(PDFName.of("Lang")) }));
  if (copied.length === kids.length) {
    for (const key of descriptions) {
      const value = dict.get(PDFName.of(key));
      if (value) copy.set(PDFName.of(key), copier.copy(value));
    }
  }
  const page = pageIn(tree, dict);
  if (page) copy.set(PDFName.of("Pg"), page);
  copy.set(PDFName.of("K"), newArray(copied));
  return copy;
}

/** A kid is an element, a number of marked content, or a dictionary that says more of either (§14.7.4). */
function copyKid(
  tree: Tree,
  { ref, dict: parent }: Element,
  kid: PDFObject,
  elements: ReadonlyMap<PDFRef, PDFRef>,
): PDFObject | undefined {
  const kidDict = tree.source.context.lookup(kid);
  if (kid instanceof PDFRef && elements.has(kid)) {
    // A kid of two parents belongs to the one it names: a tree, whatever the input was.
    return kidDict instanceof PDFDict && refAt(kidDict, "P") === ref ? elements.get(kid) : undefined;
  }
  if (kid instanceof PDFNumber) return pageIn(tree, parent) && kid;
  if (!(kidDict instanceof PDFDict) || isElement(kidDict)) return undefined;
  return copyContentItem(tree, kidDict, pageIn(tree, kidDict) ?? pageIn(tree, parent));
}

function copyContentItem(tree: Tree, dict: PDFDict, page: PDFRef | undefined): PDFDict | undefined {
  if (nameAt(dict, "Type") === "OBJR") {
    const object = refAt(dict, "Obj");
    const target = object && tree.copier.seeded(object);
    return target instanceof PDFRef
      ? newDict({ Type: PDFName.of("OBJR"), Obj: target, Pg: page })
      : undefined;
  }
  const number = dict.get(PDFName.of("MCID"));
  const elsewhere = dict.has(PDFName.of("Stm")) || (dict.has(PDFName.of("Pg")) && !pageIn(tree, dict));
  if (!page || elsewhere || !(number instanceof PDFNumber)) return undefined;
  return newDict({ Type: PDFName.of("MCR"), Pg: page, MCID: number });
}

function pageIn({ source, pages }: Tree, dict: PDFDict): PDFRef | undefined {
  const page = refAt(dict, "Pg");
  const index = page && source.pageIndex.get(page);
  return index === undefined ? undefined : pages.get(index);
}

/** The roles of the elements that are there, and what those stand for in turn. */
function usedRoles({ source, structure }: Tree, elements: ReadonlyMap<PDFRef, PDFRef>): PDFDict | undefined {
  const roleMap = dictAt(structure.tree, "RoleMap");
  const used = newDict();
  for (const ref of roleMap ? elements.keys() : []) {
    let role = source.context.lookup(ref, PDFDict).lookup(PDFName.of("S"));
    while (role instanceof PDFName && !used.has(role)) {
      const standard = roleMap?.lookup(role);
      if (!(standard instanceof PDFName)) break;
      used.set(role, standard);
      role = standard;
    }
  }
  return used.keys().length > 0 ? used : undefined;
}

function kidsOf(dict: PDFDict): readonly PDFObject[] {
  const kids = dict.lookup(PDFName.of("K"));
  if (kids instanceof PDFArray) return kids.asArray();
  const only = dict.get(PDFName.of("K"));
  return only ? [only] : [];
}

function elementRefs(source: SplitSource, value: PDFObject): PDFRef[] {
  const list = source.context.lookup(value);
  const values = list instanceof PDFArray ? list.asArray() : [value];
  return values.filter((element) => element instanceof PDFRef);
}
