/** One part of a split: its pages, and of everything else what leads to or hangs on them. */
import { PDFName, type PDFObject, type PDFRef } from "pdf-lib";
import { copyDocumentInfo } from "../copy-pages/document-info.ts";
import { writeNameTree } from "../copy-pages/name-tree.ts";
import { newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import type { OutputFile } from "../copy-pages/output-file.ts";
import { type PageLabel, writePageLabels } from "../copy-pages/page-labels.ts";
import { createPageTreeWriter } from "../copy-pages/page-tree-writer.ts";
import { createPdfWriter, type PdfWriter } from "../copy-pages/pdf-writer.ts";
import { textAt } from "../copy-pages/read-object.ts";
import { createPartCopiers, type PagePlace } from "./part-copiers.ts";
import { partForm } from "./part-form.ts";
import { partLayers } from "./part-layers.ts";
import { writePartOutline } from "./part-outline.ts";
import { copyPartPage } from "./part-page.ts";
import type { SplitSource } from "./split-source.ts";

/** @param pages indexes of the input's pages in the part's order; the same page may come several times */
export function writePart(source: SplitSource, pages: readonly number[], output: OutputFile): void {
  const writer = createPdfWriter(output);
  const tree = createPageTreeWriter(writer);
  const places: PagePlace[] = pages.map((page) => ({ page, ref: writer.reserve() }));
  const { rounds, copierOf, pageRefs, structure } = createPartCopiers(source, places, writer);
  for (const [index, place] of places.entries()) {
    source.prune(source.pages[place.page] as SplitSource["pages"][number]);
    copyPartPage(source, place, {
      copier: copierOf(index),
      writer,
      parent: tree.add(place.ref),
      pages: pageRefs,
      structureKey: pageRefs.get(place.page) === place.ref ? structure?.keyOfPage(place.page) : undefined,
    });
  }
  const copier = copierOf(0);
  const outline = writePartOutline(source, new Set(pages), copier, writer);
  const form = partForm(source, rounds);
  const names = writeNames(source, new Set(pages), copier, writer);
  for (const round of rounds) round.copier.drain();
  const tags = structure?.write(copier, writer);
  copier.drain();
  const catalog = newDict({
    Type: PDFName.of("Catalog"),
    Pages: tree.finish(),
    Outlines: outline,
    Names: names && newDict({ Dests: names }),
    PageLabels: source.labels && writePageLabels(writer, labelsOf(source.labels, pages)),
    AcroForm: form && writer.add(form),
    OCProperties: partLayers(source, rounds),
    Lang: textAt(source.catalog, "Lang"),
    ...tags,
  });
  writer.finish(writer.add(catalog), writer.add(copyDocumentInfo(source, copier)));
}

function labelsOf(labels: readonly PageLabel[], pages: readonly number[]): PageLabel[] {
  return pages.map((page) => labels[page] as PageLabel);
}

function writeNames(
  source: SplitSource,
  pages: ReadonlySet<number>,
  copier: ObjectCopier,
  writer: PdfWriter,
): PDFRef | undefined {
  const entries = new Map<string, PDFObject>();
  for (const page of pages) {
    for (const [name, value] of source.namesByPage.get(page) ?? []) {
      const destination = source.resolve(value);
      if (destination) entries.set(name, copier.copy(destination.array));
    }
  }
  return entries.size > 0 ? writeNameTree(writer, entries) : undefined;
}
