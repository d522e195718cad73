/** Attachments, document scripts and whatever else a document keeps by name (ISO 32000-1 §7.7.4). */
import { PDFDict, PDFNull, type PDFObject, type PDFRef } from "pdf-lib";
import { readNameTree, writeNameTree } from "../copy-pages/name-tree.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { dictAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { uniqueName } from "../copy-pages/unique-name.ts";

export type MergedNameTrees = {
  /** Adds a file's trees; what clashes with an earlier file's is renamed. */
  take(source: SourcePdf, copier: ObjectCopier): void;
  /** Writes the trees, by their keys in the document's `Names`. */
  write(writer: PdfWriter): Map<string, PDFRef>;
};

// Destinations have their own table, and images of XFA forms went with the forms.
const leftOut = new Set(["Dests", "XFAImages"]);

export function createMergedNameTrees(): MergedNameTrees {
  const trees = new Map<string, Map<string, PDFObject>>();
  return {
    take({ catalog, context }, copier) {
      for (const [key, root] of dictAt(catalog, "Names")?.entries() ?? []) {
        const name = key.asString().slice(1);
        const dict = context.lookup(root);
        if (leftOut.has(name) || !(dict instanceof PDFDict)) continue;
        const tree = trees.get(name) ?? new Map<string, PDFObject>();
        trees.set(name, tree);
        takeTree(tree, firstOfEach(readNameTree(dict)), copier);
      }
    },
    write(writer) {
      const written = new Map<string, PDFRef>();
      for (const [key, tree] of trees) if (tree.size > 0) written.set(key, writeNameTree(writer, tree));
      return written;
    },
  };
}

function takeTree(
  tree: Map<string, PDFObject>,
  entries: ReadonlyMap<string, PDFObject>,
  copier: ObjectCopier,
) {
  for (const [name, value] of entries) {
    const copied = copier.copy(value);
    if (copied !== PDFNull)
      tree.set(
        uniqueName((candidate) => tree.has(candidate), name),
        copied,
      );
  }
}

/** A name that one file has twice means its first entry to a reader. */
function firstOfEach(entries: readonly [string, PDFObject][]): Map<string, PDFObject> {
  return new Map([...entries].reverse());
}
