/** What all parts need to know of the input, read once: which page each thing belongs to. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from "pdf-lib";
import {
  type Destination,
  type NamedDestinations,
  readNamedDestinations,
  resolveDestination,
} from "../copy-pages/destination.ts";
import { type OutlineEntry, readOutline } from "../copy-pages/outline.ts";
import { type PageLabel, readPageLabels } from "../copy-pages/page-labels.ts";
import { arrayAt, dictAt, nameAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { type FieldIndex, indexFields } from "./field-index.ts";
import { createPruneResources, type PruneResources } from "./prune-resources.ts";
import { indexStructure, type StructureIndex } from "./structure-index.ts";

/** An outline entry with its place in reading order and the page it leads to. */
export type PlacedEntry = {
  entry: OutlineEntry;
  order: number;
  parent: PlacedEntry | undefined;
  /** Undefined for a heading that leads nowhere, null for an entry that leads out of the document. */
  page: number | undefined | null;
};

export type SplitSource = SourcePdf & {
  resolve(value: PDFObject | undefined): Destination | undefined;
  /** The names of destinations on each page. */
  namesByPage: ReadonlyMap<number, readonly [string, PDFObject][]>;
  outlineByPage: ReadonlyMap<number, readonly PlacedEntry[]>;
  labels: readonly PageLabel[] | undefined;
  /** The pages that list an annotation. */
  annotationPages: ReadonlyMap<PDFRef, readonly number[]>;
  fields: FieldIndex;
  /** Undefined for a document without tags. */
  structure: StructureIndex | undefined;
  /** Article threads lead from page to page and are left behind. */
  threads: ReadonlySet<PDFRef>;
  prune: PruneResources;
};

export function indexSource(source: SourcePdf): SplitSource {
  const named = readNamedDestinations(source);
  const resolve = (value: PDFObject | undefined) => resolveDestination(source, named, value);
  return {
    ...source,
    resolve,
    namesByPage: namesByPage(named, resolve),
    outlineByPage: outlineByPage(source, resolve),
    labels: readPageLabels(source),
    annotationPages: annotationPages(source),
    fields: indexFields(source),
    structure: indexStructure(source),
    threads: threadRefs(source),
    prune: createPruneResources(),
  };
}

type Resolve = SplitSource["resolve"];

function namesByPage(named: NamedDestinations, resolve: Resolve): Map<number, [string, PDFObject][]> {
  const byPage = new Map<number, [string, PDFObject][]>();
  for (const [name, value] of named) {
    const destination = name.startsWith("string:") ? resolve(value) : undefined;
    if (destination) addTo(byPage, destination.page, [name.slice("string:".length), value]);
  }
  return byPage;
}

function outlineByPage({ catalog }: SourcePdf, resolve: Resolve): Map<number, PlacedEntry[]> {
  const byPage = new Map<number, PlacedEntry[]>();
  let order = 0;
  const visit = (entries: readonly OutlineEntry[], parent: PlacedEntry | undefined) => {
    for (const entry of entries) {
      const placed: PlacedEntry = { entry, order, parent, page: pageOfEntry(entry.dict, resolve) };
      order += 1;
      if (typeof placed.page === "number") addTo(byPage, placed.page, placed);
      visit(entry.children, placed);
    }
  };
  visit(readOutline(catalog), undefined);
  return byPage;
}

function pageOfEntry(dict: PDFDict, resolve: Resolve): number | undefined | null {
  const action = dictAt(dict, "A");
  if (!action)
    return dict.has(PDFName.of("Dest")) ? (resolve(dict.get(PDFName.of("Dest")))?.page ?? null) : undefined;
  return nameAt(action, "S") === "GoTo" ? (resolve(action.get(PDFName.of("D")))?.page ?? null) : null;
}

function annotationPages({ pages, context }: SourcePdf): Map<PDFRef, number[]> {
  const byAnnotation = new Map<PDFRef, number[]>();
  for (const [index, { leaf }] of pages.entries()) {
    const annotations = leaf.lookup(PDFName.Annots);
    for (const value of annotations instanceof PDFArray ? annotations.asArray() : []) {
      if (value instanceof PDFRef && context.lookup(value) instanceof PDFDict)
        addTo(byAnnotation, value, index);
    }
  }
  return byAnnotation;
}

function threadRefs({ catalog, context }: SourcePdf): Set<PDFRef> {
  const refs = new Set<PDFRef>();
  for (const value of arrayAt(catalog, "Threads")?.asArray() ?? []) {
    if (value instanceof PDFRef) refs.add(value);
    const thread = context.lookup(value);
    const first = thread instanceof PDFDict ? thread.get(PDFName.of("F")) : undefined;
    if (first instanceof PDFRef) refs.add(first);
  }
  return refs;
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
