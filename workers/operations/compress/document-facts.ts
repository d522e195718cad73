/** What a compressed file must still be: the facts of a document that a reader, a form or a screen reader lives on. */
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFRef, PDFStream } from "pdf-lib";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import { pageBox } from "../../../platform/pdf/page-box.ts";
import { createDescribeTarget, type DescribeTarget, textOf } from "./destinations.ts";
import { reachableObjects } from "./reachable-objects.ts";

export type DocumentFacts = {
  /** As shown, in points; turns are quarters clockwise. */
  pages: readonly { width: number; height: number; turns: number }[];
  /** Annotations, outline, fields and tags, one line each. */
  lines: ReadonlyMap<string, readonly string[]>;
  /** What the catalog has. More of it is no loss: Ghostscript adds metadata. */
  catalog: readonly string[];
};

const maxOutlineItems = 100_000;
// Half a point: what a renderer rounds away.
const sizeTolerance = 0.5;

export function documentFacts({ document, pages }: OpenedPdf): DocumentFacts {
  const describe = createDescribeTarget(
    document,
    pages.map(({ ref }) => ref),
  );
  const boxes = pages.map(({ leaf }) => {
    const box = pageBox(leaf);
    return { width: box.shownWidth, height: box.shownHeight, turns: box.quarterTurns };
  });
  const lines = new Map([
    ["annotations", pages.flatMap(({ leaf }, index) => annotationLines(leaf, index, describe))],
    ["outline", outlineLines(document, describe)],
    ["fields", fieldLines(document)],
    ["tags", [String(countTags(document))]],
  ]);
  return { pages: boxes, lines, catalog: catalogLines(document) };
}

/** What of `before` is not the same in `after`; undefined when nothing is missing or changed. */
export function lostFact(before: DocumentFacts, after: DocumentFacts): string | undefined {
  if (before.pages.length !== after.pages.length) return "page count";
  const differs = before.pages.findIndex((page, index) => {
    const other = after.pages[index];
    if (other === undefined || page.turns !== other.turns) return true;
    return (
      Math.abs(page.width - other.width) > sizeTolerance ||
      Math.abs(page.height - other.height) > sizeTolerance
    );
  });
  if (differs >= 0) return "page box";
  for (const [subject, lines] of before.lines) {
    const others = after.lines.get(subject) ?? [];
    if (lines.length !== others.length || lines.some((line, index) => line !== others[index])) return subject;
  }
  return before.catalog.find((line) => !after.catalog.includes(line));
}

function annotationLines(leaf: PDFDict, pageIndex: number, describe: DescribeTarget): string[] {
  const annotations = leaf.lookup(PDFName.of("Annots"));
  if (!(annotations instanceof PDFArray)) return [];
  const lines: string[] = [];
  for (let index = 0; index < annotations.size(); index += 1) {
    const annotation = annotations.lookup(index);
    if (!(annotation instanceof PDFDict)) continue;
    const kind = annotation.lookup(PDFName.of("Subtype"))?.toString();
    lines.push(`${pageIndex} ${kind} ${describe(annotation)}`);
  }
  return lines.sort();
}

function outlineLines(document: PDFDocument, describe: DescribeTarget): string[] {
  const lines: string[] = [];
  const seen = new Set<PDFDict>();
  const root = document.catalog.lookup(PDFName.of("Outlines"));
  const stack: { item: unknown; depth: number }[] = [];
  if (root instanceof PDFDict) stack.push({ item: root.lookup(PDFName.of("First")), depth: 0 });
  while (stack.length > 0 && lines.length < maxOutlineItems) {
    const { item, depth } = stack.pop() as { item: unknown; depth: number };
    if (!(item instanceof PDFDict) || seen.has(item)) continue;
    seen.add(item);
    lines.push(`${depth} ${textOf(item.lookup(PDFName.of("Title")))} ${describe(item)}`);
    stack.push({ item: item.lookup(PDFName.of("Next")), depth });
    stack.push({ item: item.lookup(PDFName.of("First")), depth: depth + 1 });
  }
  return lines;
}

function fieldLines(document: PDFDocument): string[] {
  const form = document.catalog.lookup(PDFName.of("AcroForm"));
  if (!(form instanceof PDFDict)) return [];
  const lines: string[] = [`form ${form.has(PDFName.of("XFA"))}`];
  const seen = new Set<unknown>();
  const visit = (fields: unknown, prefix: string): void => {
    for (let index = 0; fields instanceof PDFArray && index < fields.size(); index += 1) {
      const field = fields.lookup(index);
      if (!(field instanceof PDFDict) || seen.has(field)) continue;
      seen.add(field);
      const name = `${prefix}.${textOf(field.lookup(PDFName.of("T")))}`;
      const value = field.lookup(PDFName.of("V"));
      const text = value instanceof PDFDict || value instanceof PDFStream ? "object" : textOf(value);
      lines.push(`${name} ${field.lookup(PDFName.of("FT"))?.toString()} ${text}`);
      visit(field.lookup(PDFName.of("Kids")), name);
    }
  };
  visit(form.lookup(PDFName.of("Fields")), "");
  return lines;
}

function countTags(document: PDFDocument): number {
  if (!document.catalog.has(PDFName.of("StructTreeRoot"))) return 0;
  let tags = 1;
  for (const object of reachableObjects(document.context).values()) {
    if (object instanceof PDFDict && object.has(PDFName.of("S")) && object.has(PDFName.of("P"))) tags += 1;
  }
  return tags;
}

const catalogKeys = ["Lang", "MarkInfo", "PageLabels", "OCProperties", "Metadata", "ViewerPreferences"];

function catalogLines(document: PDFDocument): string[] {
  const { catalog } = document;
  const lines = catalogKeys.filter((key) => catalog.lookup(PDFName.of(key)) !== undefined);
  const names = catalog.lookup(PDFName.of("Names"));
  const trees = names instanceof PDFDict ? names.keys().map(String) : [];
  const info = document.context.trailerInfo.Info;
  const dict = info instanceof PDFRef ? document.context.lookup(info) : info;
  const title = dict instanceof PDFDict ? textOf(dict.lookup(PDFName.of("Title"))) : "";
  // Links resolve the destinations' names, and they are compared by where they lead.
  return [
    ...lines,
    ...trees.filter((tree) => tree !== "/Dests"),
    ...(title === "" ? [] : [`title ${title}`]),
  ];
}
