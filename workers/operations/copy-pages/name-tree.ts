/** Name and number trees (ISO 32000-1 §7.9.6, §7.9.7): sorted tables that a reader need not load whole. */
import {
  type PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "pdf-lib";
import { newArray, newDict } from "./new-object.ts";
import type { PdfWriter } from "./pdf-writer.ts";
import { arrayAt, asDict, bytesOf, stringOfBytes } from "./read-object.ts";

const maxDepth = 32;
const entriesPerLeaf = 64;

/** Name by name, as strings of bytes, in the order found; a loop or a broken node ends that branch only. */
export function readNameTree(root: PDFDict | undefined): [string, PDFObject][] {
  return readTree(root, "Names", (key) =>
    key instanceof PDFString || key instanceof PDFHexString ? bytesOf(key) : undefined,
  );
}

/** Number by number, in the order found. */
export function readNumberTree(root: PDFDict | undefined): [number, PDFObject][] {
  return readTree(root, "Nums", (key) =>
    key instanceof PDFNumber && Number.isInteger(key.asNumber()) ? key.asNumber() : undefined,
  );
}

function readTree<Key>(
  root: PDFDict | undefined,
  entriesKey: "Names" | "Nums",
  keyOf: (object: PDFObject | undefined) => Key | undefined,
): [Key, PDFObject][] {
  const found: [Key, PDFObject][] = [];
  const seen = new Set<PDFDict>();
  const visit = (node: PDFDict, depth: number) => {
    if (seen.has(node) || depth > maxDepth) return;
    seen.add(node);
    const entries = arrayAt(node, entriesKey);
    for (let index = 0; entries && index + 1 < entries.size(); index += 2) {
      const key = keyOf(entries.lookup(index));
      if (key !== undefined) found.push([key, entries.get(index + 1)]);
    }
    const kids = arrayAt(node, "Kids");
    for (let index = 0; kids && index < kids.size(); index += 1) {
      const kid = asDict(kids.lookup(index));
      if (kid) visit(kid, depth + 1);
    }
  };
  if (root) visit(root, 0);
  return found;
}

/** @param entries any order; of equal names the first counts */
export function writeNameTree(writer: PdfWriter, entries: ReadonlyMap<string, PDFObject>): PDFRef {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return writeTree(writer, "Names", sorted, stringOfBytes);
}

export function writeNumberTree(writer: PdfWriter, entries: ReadonlyMap<number, PDFObject>): PDFRef {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  return writeTree(writer, "Nums", sorted, (key) => PDFNumber.of(key));
}

/** A root over leaves: two levels serve a million entries well enough. */
function writeTree<Key>(
  writer: PdfWriter,
  entriesKey: "Names" | "Nums",
  sorted: readonly [Key, PDFObject][],
  keyObject: (key: Key) => PDFObject,
): PDFRef {
  const leaf = (entries: readonly [Key, PDFObject][], limits: boolean) => {
    const node = newDict();
    node.set(PDFName.of(entriesKey), newArray(entries.flatMap(([key, value]) => [keyObject(key), value])));
    const [first, last] = [entries[0], entries.at(-1)];
    if (limits && first && last) {
      node.set(PDFName.of("Limits"), newArray([keyObject(first[0]), keyObject(last[0])]));
    }
    return writer.add(node);
  };
  if (sorted.length <= entriesPerLeaf) return leaf(sorted, false);
  const kids: PDFRef[] = [];
  for (let at = 0; at < sorted.length; at += entriesPerLeaf) {
    kids.push(leaf(sorted.slice(at, at + entriesPerLeaf), true));
  }
  const root = newDict();
  root.set(PDFName.of("Kids"), newArray(kids));
  return writer.add(root);
}
