/** The outline of a part: the entries that lead to its pages. */
import type { PDFRef } from "pdf-lib";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { type NewOutlineEntry, outlinePlaceKeys, writeOutline } from "../copy-pages/outline.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import type { PlacedEntry, SplitSource } from "./split-source.ts";

/**
 * An entry whose parent leads to a page of another part moves up to the nearest that stays: the title of a chapter
 * that is not here would tell of it. Headings that lead nowhere stay above what stays beneath them.
 */
export function writePartOutline(
  source: SplitSource,
  pages: ReadonlySet<number>,
  copier: ObjectCopier,
  writer: PdfWriter,
): PDFRef | undefined {
  const kept = new Set<PlacedEntry>();
  for (const page of pages) for (const placed of source.outlineByPage.get(page) ?? []) kept.add(placed);
  for (const placed of [...kept]) {
    for (let above = placed.parent; above && !kept.has(above); above = above.parent) {
      if (above.page === undefined) kept.add(above);
    }
  }
  const tops: NewOutlineEntry[] = [];
  const written = new Map<PlacedEntry, NewOutlineEntry>();
  for (const placed of [...kept].sort((a, b) => a.order - b.order)) {
    const { dict, open } = placed.entry;
    const entry = { dict: copier.copyDict(dict, outlinePlaceKeys), open, children: [] };
    written.set(placed, entry);
    const parent = nearestKept(placed, written);
    if (parent) parent.children.push(entry);
    else tops.push(entry);
  }
  return writeOutline(writer, tops);
}

function nearestKept(
  placed: PlacedEntry,
  written: ReadonlyMap<PlacedEntry, NewOutlineEntry>,
): NewOutlineEntry | undefined {
  for (let above = placed.parent; above; above = above.parent) {
    const entry = written.get(above);
    if (entry) return entry;
  }
  return undefined;
}
