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
import { pathToRoot, type StructureIndex } from "./structure-index.ts";

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
  const elements = reserveElements(tree);
  if (elements.size === 0) return {};
  const root = writer.reserve();
  const byParent = new Map<PDFRef, PDFRef[]>();
  for (const ref of elements.keys()) {
    const parent = refAt(source.context.lookup(ref, PDFDict), "P") as PDFRef;
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(ref);
    else byParent.set(parent, [ref]);
  }
  for (const [ref, target] of elements) {
    const dict = source.context.lookup(ref, PDFDict);
    const copy = copyElement(tree, dict, keptKids(structure, dict, byParent.get(ref), elements));
    copy.set(PDFName.of("P"), elements.get(refAt(dict, "P") as PDFRef) ?? root);
    writer.put(target, copy);
  }
  const tops = keptKids(structure, structure.tree, byParent.get(structure.root), elements);
  const entries = {
    Type: PDFName.of("StructTreeRoot"),
    K: newArray(tops.map(([, top]) => top)),
    ParentTree: writeNumberTree(writer, parentTree(source, kept, elements)),
    ParentTreeNextKey: PDFNumber.of(kept.length),
    RoleMap: usedRoles(tree, elements),
  };
  writer.put(root, newDict(entries));
  return { StructTreeRoot: root, MarkInfo: newDict({ Marked: PDFBool.True }) };
}

/** The elements that the part needs, and where each will be. */
function reserveElements({ source, structure, writer, kept }: Tree): Map<PDFRef, PDFRef> {
  const elements = new Map<PDFRef, PDFRef>();
  for (const ref of kept.flatMap((value) => elementRefs(source, value))) {
    for (const needed of elements.has(ref) ? [] : pathToRoot(source, structure, ref)) {
      if (!elements.has(needed)) elements.set(needed, writer.reserve());
    }
  }
  return elements;
}

type PlacedKid = readonly [place: number, kid: PDFObject];

/** Those of the elements naming `dict` their parent that it names in turn: a tree, whatever the input was. */
function keptKids(
  structure: StructureIndex,
  dict: PDFDict,
  children: readonly PDFRef[] | undefined,
  elements: ReadonlyMap<PDFRef, PDFRef>,
): PlacedKid[] {
  const places = structure.kidsOf(dict).elements;
  const kids = (children ?? []).flatMap((child): PlacedKid[] => {
    const [place, target] = [places.get(child), elements.get(child)];
    return place === undefined || !target ? [] : [[place, target]];
  });
  return kids.sort(byPlace);
}

function byPlace([one]: PlacedKid, [other]: PlacedKid): number {
  return one - other;
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

function copyElement(tree: Tree, dict: PDFDict, keptElements: readonly PlacedKid[]): PDFDict {
  const { copier } = tree;
  const { count, content } = tree.structure.kidsOf(dict);
  const items = content.flatMap(([place, kid]): PlacedKid[] => {
    const item = copyContentItem(tree, dict, kid);
    return item ? [[place, item]] : [];
  });
  const kids = [...keptElements, ...items].sort(byPlace);
  const copy = copier.copyDict(newDict({ S: dict.get(PDFName.of("S")), Lang: dict.get(PDFName.of("Lang")) }));
  if (kids.length === count) {
    for (const key of descriptions) {
      const value = dict.get(PDFName.of(key));
      if (value) copy.set(PDFName.of(key), copier.copy(value));
    }
  }
  const page = pageIn(tree, dict);
  if (page) copy.set(PDFName.of("Pg"), page);
  copy.set(PDFName.of("K"), newArray(kids.map(([, kid]) => kid)));
  return copy;
}

/** Content is a number of marked content, or a dictionary that says more of it or names an object (§14.7.4). */
function copyContentItem(tree: Tree, element: PDFDict, item: PDFObject): PDFObject | undefined {
  if (item instanceof PDFNumber) return pageIn(tree, element) && item;
  const dict = tree.source.context.lookup(item);
  if (!(dict instanceof PDFDict)) return undefined;
  const page = pageIn(tree, dict) ?? pageIn(tree, element);
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

function elementRefs(source: SplitSource, value: PDFObject): PDFRef[] {
  const list = source.context.lookup(value);
  const values = list instanceof PDFArray ? list.asArray() : [value];
  return values.filter((element) => element instanceof PDFRef);
}
