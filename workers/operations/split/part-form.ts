/** The form of a part: the fields that have a widget on its pages. */
import { PDFBool, PDFDict, PDFName, type PDFObject, PDFRef } from "pdf-lib";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { arrayAt, bytesOf, dictAt, textAt } from "../copy-pages/read-object.ts";
import type { Round } from "./part-copiers.ts";
import type { SplitSource } from "./split-source.ts";

/** @returns undefined when the part has no fields */
export function partForm({ fields, context }: SplitSource, rounds: readonly Round[]): PDFDict | undefined {
  const { form, tops } = fields;
  const first = rounds[0];
  if (!form || !first) return undefined;
  const kept: PDFObject[] = [];
  const order: PDFObject[] = [];
  for (const round of rounds) {
    for (const top of tops) if (round.fields.has(top)) kept.push(round.copier.copy(top));
    for (const value of arrayAt(form, "CO")?.asArray() ?? []) {
      if (value instanceof PDFRef && round.fields.has(value)) order.push(round.copier.copy(value));
    }
  }
  if (kept.length === 0) return undefined;
  const needed = [...first.fields]
    .map((ref) => context.lookup(ref))
    .filter((field) => field instanceof PDFDict);
  return newDict({
    Fields: newArray(kept),
    DA: form.lookup(PDFName.of("DA")),
    Q: form.lookup(PDFName.of("Q")),
    DR: usedResources(form, [form, ...needed], first.copier),
    CO: order.length > 0 ? newArray(order) : undefined,
    NeedAppearances: form.lookup(PDFName.of("NeedAppearances")) === PDFBool.True ? PDFBool.True : undefined,
  });
}

/** Of the form's fonts those that the fields' appearances name. */
function usedResources(form: PDFDict, fields: readonly PDFDict[], copier: ObjectCopier): PDFDict | undefined {
  const resources = dictAt(form, "DR");
  const fonts = resources && dictAt(resources, "Font");
  if (!fonts) return undefined;
  const used = newDict();
  for (const field of fields) {
    const appearance = textAt(field, "DA");
    for (const [, name = ""] of (appearance ? bytesOf(appearance) : "").matchAll(/\/([^\s/<>[\]()]+)/g)) {
      const font = fonts.get(PDFName.of(name));
      if (font && !used.has(PDFName.of(name))) used.set(PDFName.of(name), copier.copy(font));
    }
  }
  return newDict({ Font: used });
}
