/** Outlines, the bookmarks of a reader's side panel (ISO 32000-1 §12.3.3). */
import { PDFDict, PDFName, PDFNumber, type PDFRef } from "pdf-lib";
import type { PdfWriter } from "./pdf-writer.ts";
import { dictAt, numberAt } from "./read-object.ts";

/** An entry of the source and the entries beneath it. */
export type OutlineEntry = { dict: PDFDict; open: boolean; children: OutlineEntry[] };

/** An entry for the target: `dict` has everything but its place in the tree. */
export type NewOutlineEntry = { dict: PDFDict; open: boolean; children: NewOutlineEntry[] };

/** The entries that say where an outline entry stands; they are made anew for a copy. */
export const outlinePlaceKeys: ReadonlySet<string> = new Set([
  "Parent",
  "Prev",
  "Next",
  "First",
  "Last",
  "Count",
  // Elements of a structure tree are copied apart from outlines, or not at all.
  "SE",
]);

const maxDepth = 64;

/** The outline of a document. An entry met again ends its row: loops and crossed links are cut there. */
export function readOutline(catalog: PDFDict): OutlineEntry[] {
  const seen = new Set<PDFDict>();
  const readRow = (first: PDFDict | undefined, depth: number): OutlineEntry[] => {
    const row: OutlineEntry[] = [];
    for (let dict = first; dict && !seen.has(dict); dict = dictAt(dict, "Next")) {
      seen.add(dict);
      const children = depth < maxDepth ? readRow(dictAt(dict, "First"), depth + 1) : [];
      row.push({ dict, open: (numberAt(dict, "Count") ?? 0) > 0, children });
    }
    return row;
  };
  const root = dictAt(catalog, "Outlines");
  return root ? readRow(dictAt(root, "First"), 0) : [];
}

/** Writes an outline; undefined when there is nothing in it. */
export function writeOutline(writer: PdfWriter, entries: readonly NewOutlineEntry[]): PDFRef | undefined {
  if (entries.length === 0) return undefined;
  const root = writer.reserve();
  const dict = PDFDict.withContext((entries[0] as NewOutlineEntry).dict.context);
  dict.set(PDFName.Type, PDFName.of("Outlines"));
  const visible = writeRow(writer, root, dict, entries);
  dict.set(PDFName.of("Count"), PDFNumber.of(visible));
  writer.put(root, dict);
  return root;
}

/** Writes the entries beneath `parent` and returns how many of them are visible when it is open. */
function writeRow(
  writer: PdfWriter,
  parentRef: PDFRef,
  parent: PDFDict,
  entries: readonly NewOutlineEntry[],
): number {
  const refs = entries.map(() => writer.reserve());
  let visible = entries.length;
  for (const [index, { dict, open, children }] of entries.entries()) {
    const ref = refs[index] as PDFRef;
    dict.set(PDFName.Parent, parentRef);
    setIfAny(dict, "Prev", refs[index - 1]);
    setIfAny(dict, "Next", refs[index + 1]);
    if (children.length > 0) {
      const beneath = writeRow(writer, ref, dict, children);
      dict.set(PDFName.of("Count"), PDFNumber.of(open ? beneath : -beneath));
      if (open) visible += beneath;
    }
    writer.put(ref, dict);
  }
  setIfAny(parent, "First", refs[0]);
  setIfAny(parent, "Last", refs.at(-1));
  return visible;
}

function setIfAny(dict: PDFDict, key: string, ref: PDFRef | undefined) {
  if (ref) dict.set(PDFName.of(key), ref);
}
