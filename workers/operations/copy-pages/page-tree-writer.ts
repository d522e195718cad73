/** A balanced page tree, made while its pages are written (ISO 32000-1 §7.7.3). */
import { PDFName, PDFNumber, type PDFRef } from "pdf-lib";
import { newArray, newDict } from "./new-object.ts";
import type { PdfWriter } from "./pdf-writer.ts";

export type PageTreeWriter = {
  /** Takes the next page; returns the node that its `Parent` must name. */
  add(page: PDFRef): PDFRef;
  /** Writes all nodes and returns the root. */
  finish(): PDFRef;
};

type Node = { ref: PDFRef; kids: PDFRef[]; count: number };

const kidsPerNode = 64;

export function createPageTreeWriter(writer: PdfWriter): PageTreeWriter {
  const leaves: Node[] = [];

  function writeNodes(nodes: readonly Node[]): PDFRef {
    const root = nodes.length === 1;
    const parents: Node[] = [];
    for (const { ref, kids, count } of nodes) {
      if (!root && (parents.at(-1)?.kids.length ?? kidsPerNode) >= kidsPerNode) parents.push(newNode(writer));
      const parent = parents.at(-1);
      if (parent) {
        parent.kids.push(ref);
        parent.count += count;
      }
      const entries = { Type: PDFName.of("Pages"), Parent: parent?.ref };
      writer.put(ref, newDict({ ...entries, Kids: newArray(kids), Count: PDFNumber.of(count) }));
    }
    return root ? (nodes[0] as Node).ref : writeNodes(parents);
  }

  return {
    add(page) {
      if ((leaves.at(-1)?.kids.length ?? kidsPerNode) >= kidsPerNode) leaves.push(newNode(writer));
      const leaf = leaves.at(-1) as Node;
      leaf.kids.push(page);
      leaf.count += 1;
      return leaf.ref;
    },
    finish: () => writeNodes(leaves.length > 0 ? leaves : [newNode(writer)]),
  };
}

function newNode(writer: PdfWriter): Node {
  return { ref: writer.reserve(), kids: [], count: 0 };
}
