/** Page labels: the numbers that a reader shows, such as iv or A-3 (ISO 32000-1 §12.4.2). */
import {
  PDFDict,
  type PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  type PDFString,
} from "pdf-lib";
import { readNumberTree, writeNumberTree } from "./name-tree.ts";
import { newDict } from "./new-object.ts";
import type { PdfWriter } from "./pdf-writer.ts";
import { dictAt, nameAt, numberAt, textAt } from "./read-object.ts";
import type { SourcePdf } from "./source-pdf.ts";

/** A page's label: its numbering style (`D`, `R`, `r`, `A`, `a` or none), prefix, and number in that style. */
export type PageLabel = {
  style: string | undefined;
  prefix: PDFString | PDFHexString | undefined;
  number: number;
};

/** What a page without label is shown as: its plain number. */
export function plainLabel(index: number): PageLabel {
  return { style: "D", prefix: undefined, number: index + 1 };
}

/** The label of each page; undefined when the document has none. */
export function readPageLabels({ catalog, context, pages }: SourcePdf): PageLabel[] | undefined {
  const ranges = new Map<number, PDFDict>();
  for (const [start, value] of readNumberTree(dictAt(catalog, "PageLabels"))) {
    const dict = context.lookup(value);
    if (dict instanceof PDFDict) ranges.set(start, dict);
  }
  if (ranges.size === 0) return undefined;
  let current = plainLabel(0);
  return pages.map((_, index) => {
    const range = ranges.get(index);
    current = range ? startOf(range) : index === 0 ? current : { ...current, number: current.number + 1 };
    return current;
  });
}

/** Writes labels page by page as the ranges they make. */
export function writePageLabels(writer: PdfWriter, labels: readonly PageLabel[]): PDFRef {
  const ranges = new Map<number, PDFObject>();
  for (const [index, label] of labels.entries()) {
    const before = labels[index - 1];
    if (!before || !continues(before, label)) ranges.set(index, rangeOf(label));
  }
  return writeNumberTree(writer, ranges);
}

function startOf(range: PDFDict): PageLabel {
  const number = numberAt(range, "St") ?? 1;
  return { style: nameAt(range, "S"), prefix: textAt(range, "P"), number: Math.max(1, Math.trunc(number)) };
}

function continues(before: PageLabel, label: PageLabel): boolean {
  return (
    before.style === label.style &&
    before.prefix?.toString() === label.prefix?.toString() &&
    label.number === before.number + 1
  );
}

function rangeOf({ style, prefix, number }: PageLabel): PDFDict {
  return newDict({
    S: style === undefined ? undefined : PDFName.of(style),
    P: prefix,
    St: number === 1 ? undefined : PDFNumber.of(number),
  });
}
