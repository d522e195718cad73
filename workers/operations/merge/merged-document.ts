/** The document that grows file by file: what each brings is written at once, what they share is gathered. */
import { PDFName, type PDFObject, type PDFRef } from "pdf-lib";
import { writeNameTree } from "../copy-pages/name-tree.ts";
import { newDict } from "../copy-pages/new-object.ts";
import { type NewOutlineEntry, writeOutline } from "../copy-pages/outline.ts";
import type { OutputFile } from "../copy-pages/output-file.ts";
import { type PageLabel, plainLabel, readPageLabels, writePageLabels } from "../copy-pages/page-labels.ts";
import { createPageTreeWriter } from "../copy-pages/page-tree-writer.ts";
import { createPdfWriter } from "../copy-pages/pdf-writer.ts";
import { createSharedObjects } from "../copy-pages/shared-objects.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { createDocumentSettings } from "./document-settings.ts";
import { mergeSource } from "./merge-source.ts";
import { createMergedDestinations } from "./merged-destinations.ts";
import { createMergedFields } from "./merged-fields.ts";
import { createMergedLayers } from "./merged-layers.ts";
import { createMergedNameTrees } from "./merged-name-trees.ts";
import { createMergedStructure } from "./merged-structure.ts";
import type { PageSize } from "./page-scale.ts";

export type MergedDocument = { add(source: SourcePdf): void; finish(): { pageCount: number } };

/** Everything that a file adds to. */
export type MergeTarget = ReturnType<typeof createMergeTarget>;

function createMergeTarget(output: OutputFile, pageSize: "original" | PageSize) {
  const writer = createPdfWriter(output);
  return {
    writer,
    pageSize,
    pageTree: createPageTreeWriter(writer),
    shared: createSharedObjects(),
    outline: [] as NewOutlineEntry[],
    destinations: createMergedDestinations(),
    nameTrees: createMergedNameTrees(),
    fields: createMergedFields(),
    layers: createMergedLayers(),
    structure: createMergedStructure(writer),
    settings: createDocumentSettings(),
  };
}

export function createMergedDocument(output: OutputFile, pageSize: "original" | PageSize): MergedDocument {
  const target = createMergeTarget(output, pageSize);
  const labels: PageLabel[] = [];
  let labelled = false;
  return {
    add(source) {
      const own = readPageLabels(source);
      labelled ||= own !== undefined;
      labels.push(...(own ?? source.pages.map((_, index) => plainLabel(index))));
      mergeSource(target, source);
    },
    finish() {
      const labelTree = labelled ? writePageLabels(target.writer, labels) : undefined;
      writeCatalog(target, labelTree);
      return { pageCount: labels.length };
    },
  };
}

function writeCatalog(target: MergeTarget, pageLabels: PDFRef | undefined) {
  const { writer, settings } = target;
  const form = target.fields.form();
  const layers = target.layers.properties();
  const structure = target.structure.write();
  const outline = writeOutline(writer, target.outline);
  const catalog = newDict({
    Type: PDFName.of("Catalog"),
    Pages: target.pageTree.finish(),
    ...settings.catalogEntries(),
    Outlines: outline,
    PageLabels: pageLabels,
    Names: writeNames(target),
    AcroForm: form && writer.add(form),
    OCProperties: layers,
    StructTreeRoot: structure,
    MarkInfo: structure && settings.markInfo(),
  });
  const info = writer.add(settings.info());
  writer.finish(writer.add(catalog), info);
}

function writeNames({ writer, nameTrees, destinations }: MergeTarget): PDFObject | undefined {
  const trees = nameTrees.write(writer);
  if (destinations.entries.size > 0) trees.set("Dests", writeNameTree(writer, destinations.entries));
  return trees.size > 0 ? writer.add(newDict(Object.fromEntries(trees))) : undefined;
}
