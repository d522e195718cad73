/** Form fields (ISO 32000-1 §12.7.3) seen from the pages: which fields stand above a widget. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from "pdf-lib";
import { arrayAt, dictAt, plainText, refAt, textAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";

export type FieldIndex = {
  form: PDFDict | undefined;
  /** The topmost fields, in the form's order. */
  tops: readonly PDFRef[];
  topDicts: ReadonlySet<PDFDict>;
  /** What they are called. */
  topNames: ReadonlySet<string>;
  /** Every field that is found from the form or from a widget: none of them is copied unless a part's widget needs it. */
  all: ReadonlySet<PDFRef>;
  /** The fields of a page's widgets, widgets that are fields themselves among them. */
  ofPage(page: number): readonly PDFRef[];
};

const maxDepth = 64;

export function indexFields(source: SourcePdf): FieldIndex {
  const { context, catalog, pages } = source;
  const form = dictAt(catalog, "AcroForm");
  const all = new Set<PDFRef>();
  const tops = refsIn(form && arrayAt(form, "Fields")).filter(
    (ref) => context.lookup(ref) instanceof PDFDict,
  );

  const above = new Map<PDFRef, PDFRef>();
  const visit = (refs: readonly PDFRef[], parent: PDFRef | undefined, depth: number) => {
    for (const ref of refs) {
      const dict = context.lookup(ref);
      if (all.has(ref) || !(dict instanceof PDFDict) || depth > maxDepth) continue;
      all.add(ref);
      if (parent) above.set(ref, parent);
      visit(refsIn(arrayAt(dict, "Kids")), ref, depth + 1);
    }
  };
  visit(tops, undefined, 0);

  const byPage = pages.map(({ leaf }) => {
    const fields = new Set<PDFRef>();
    const annotations = leaf.lookup(PDFName.Annots);
    for (const ref of refsIn(annotations instanceof PDFArray ? annotations : undefined)) {
      for (const field of withParents(source, ref, above)) fields.add(field);
    }
    for (const field of fields) all.add(field);
    return [...fields];
  });
  const topDicts = new Set(tops.map((ref) => context.lookup(ref, PDFDict)));
  const topNames = new Set([...topDicts].flatMap((dict) => namesOf(dict)));
  return { form, tops, topDicts, topNames, all, ofPage: (page) => byPage[page] ?? [] };
}

/**
 * A widget and the fields above it; nothing for another kind of annotation.
 * @param knownParents from the form's tree, for widgets that do not name their own
 */
function withParents(
  { context }: SourcePdf,
  widget: PDFRef,
  knownParents: ReadonlyMap<PDFRef, PDFRef>,
): PDFRef[] {
  const dict = context.lookup(widget);
  if (!(dict instanceof PDFDict) || dict.get(PDFName.of("Subtype")) !== PDFName.of("Widget")) return [];
  const chain: PDFRef[] = [];
  let ref: PDFRef | undefined = widget;
  while (ref && !chain.includes(ref) && chain.length < maxDepth) {
    const field: PDFObject | undefined = context.lookup(ref);
    if (!(field instanceof PDFDict)) break;
    chain.push(ref);
    ref = refAt(field, "Parent") ?? knownParents.get(ref);
  }
  return chain;
}

function namesOf(field: PDFDict): string[] {
  const name = textAt(field, "T");
  return name ? [plainText(name)] : [];
}

function refsIn(array: PDFArray | undefined): PDFRef[] {
  return (array?.asArray() ?? []).filter((element) => element instanceof PDFRef);
}
