/**
 * The structure trees ("tags") of all files as one (ISO 32000-1 §14.7). A document is tagged or it is not: one file
 * without tags, and the merged file has none. That is known only at the end, so the elements wait in a held lane.
 */
import { type PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, type PDFRef } from "pdf-lib";
import { readNumberTree, writeNumberTree } from "../copy-pages/name-tree.ts";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { dictAt, numberAt, refAt, textAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { createMergedElementNames } from "./merged-element-names.ts";

export type MergedStructure = {
  forSource(source: SourcePdf): SourceStructure;
  /** Writes the merged tree; undefined when a file was without tags. */
  write(): PDFRef | undefined;
};

export type SourceStructure = {
  /** Moves the keys by which the tree finds pages and annotations. */
  amend(copy: PDFDict, source: PDFDict): void;
  /** Copies the file's elements; everything else of it must be copied and drained before. */
  take(copier: ObjectCopier): void;
};

// One a page, annotation and image: no honest file comes near.
const maxKey = 2 ** 24;

export function createMergedStructure(writer: PdfWriter): MergedStructure {
  const lane = writer.heldLane();
  const [root, documentElement] = [writer.reserve(), writer.reserve()];
  const parts: PDFRef[] = [];
  const byKey = new Map<number, PDFObject>();
  const names = createMergedElementNames();
  let allTagged = true;
  let nextKey = 0;

  function forSource(source: SourcePdf): SourceStructure {
    const tree = dictAt(source.catalog, "StructTreeRoot");
    if (!tree && allTagged) {
      allTagged = false;
      lane.discard();
    }
    if (!tree || !allTagged) return { amend: dropKeys, take() {} };
    const parents = readNumberTree(dictAt(tree, "ParentTree")).filter(([key]) => key >= 0 && key < maxKey);
    const keys = { first: nextKey, count: parents.reduce((most, [key]) => Math.max(most, key + 1), 0) };
    nextKey += keys.count;
    const ownNames = names.forSource(tree);
    let inTree = false;
    return {
      amend(copy, original) {
        moveKeys(copy, original, keys);
        if (inTree) ownNames.amend(copy, original);
      },
      take(copier) {
        inTree = true;
        const part = writer.reserve();
        const rootRef = refAt(source.catalog, "StructTreeRoot");
        if (rootRef) copier.seed(rootRef, part);
        lane.put(part, partElement(copier, source, tree, documentElement));
        for (const [key, value] of parents) {
          const copied = copier.copy(value);
          if (copied !== PDFNull) byKey.set(keys.first + key, copied);
        }
        ownNames.take(copier);
        copier.drain(lane);
        parts.push(part);
        inTree = false;
      },
    };
  }

  function write(): PDFRef | undefined {
    if (!allTagged || parts.length === 0) return undefined;
    lane.release();
    writer.put(documentElement, newDict({ S: PDFName.of("Document"), P: root, K: newArray(parts) }));
    const entries = {
      Type: PDFName.of("StructTreeRoot"),
      K: documentElement,
      ParentTree: writeNumberTree(writer, byKey),
      ParentTreeNextKey: PDFNumber.of(nextKey),
    };
    writer.put(root, newDict({ ...entries, ...names.entries(writer) }));
    return root;
  }

  return { forSource, write };
}

/** A file's elements under one of their own, which also keeps the file's language. */
function partElement(copier: ObjectCopier, source: SourcePdf, tree: PDFDict, parent: PDFRef): PDFDict {
  const kids = tree.get(PDFName.of("K"));
  const copied = kids && copier.copy(kids);
  const language = textAt(source.catalog, "Lang");
  return newDict({ S: PDFName.of("Part"), P: parent, Lang: language, K: copied ?? newArray([]) });
}

const keyNames = ["StructParent", "StructParents"];

function moveKeys(copy: PDFDict, source: PDFDict, keys: { first: number; count: number }) {
  for (const name of keyNames) {
    if (!copy.has(PDFName.of(name))) continue;
    const key = numberAt(source, name);
    // A key that the tree lacks would mean another file's element.
    if (key === undefined || key < 0 || key >= keys.count) copy.delete(PDFName.of(name));
    else copy.set(PDFName.of(name), PDFNumber.of(keys.first + key));
  }
}

function dropKeys(copy: PDFDict) {
  for (const name of keyNames) copy.delete(PDFName.of(name));
}
