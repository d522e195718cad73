/** The fonts and other resources that fields share through their form (ISO 32000-1 §12.7.2, `DR`). */
import { PDFDict, PDFHexString, PDFName, type PDFObject, PDFRef, PDFString } from "pdf-lib";
import { newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { bytesOf, dictAt, stringOfBytes } from "../copy-pages/read-object.ts";
import { serialise } from "../copy-pages/serialise.ts";
import { uniqueName } from "../copy-pages/unique-name.ts";

export type MergedFormResources = {
  /** Adds a form's resources. @returns changes a copy's default appearance where its font was renamed. */
  take(form: PDFDict, copier: ObjectCopier): (copy: PDFDict) => void;
  dict(): PDFDict | undefined;
};

export function createMergedFormResources(): MergedFormResources {
  const categories = new Map<string, Map<string, PDFObject>>();

  function takeEntry(category: string, key: string, value: PDFObject): string {
    const entries = categories.get(category) ?? new Map<string, PDFObject>();
    categories.set(category, entries);
    // Resources of equal content were stored once, so equal ones have equal references.
    const clashes = (name: string) => entries.has(name) && !isSame(entries.get(name), value);
    const name = uniqueName(clashes, key);
    entries.set(name, value);
    return name;
  }

  return {
    take(form, copier) {
      const fonts = new Map<string, string>();
      for (const [category, value] of dictAt(form, "DR")?.entries() ?? []) {
        const entries = form.context.lookup(value);
        if (!(entries instanceof PDFDict)) continue;
        for (const [key, resource] of entries.entries()) {
          const [kind, name] = [category.asString().slice(1), key.asString().slice(1)];
          const fresh = takeEntry(kind, name, copier.copy(resource));
          if (kind === "Font" && fresh !== name) fonts.set(name, fresh);
        }
      }
      return (copy) => renameFont(copy, fonts);
    },
    dict() {
      if (categories.size === 0) return undefined;
      return newDict(
        Object.fromEntries(
          [...categories].map(([key, entries]) => [key, newDict(Object.fromEntries(entries))]),
        ),
      );
    },
  };
}

function isSame(one: PDFObject | undefined, other: PDFObject): boolean {
  if (one === undefined || one instanceof PDFRef || other instanceof PDFRef) return one === other;
  return serialise(one) === serialise(other);
}

function renameFont(copy: PDFDict, fonts: ReadonlyMap<string, string>) {
  if (fonts.size === 0) return;
  const appearance = copy.get(PDFName.of("DA"));
  if (!(appearance instanceof PDFString || appearance instanceof PDFHexString)) return;
  const text = bytesOf(appearance);
  const renamed = text.replaceAll(/\/([^\s/<>[\]()]+)(?=\s)/g, (whole, font) => {
    const fresh = fonts.get(font);
    return fresh === undefined ? whole : `/${fresh}`;
  });
  if (renamed !== text) copy.set(PDFName.of("DA"), stringOfBytes(renamed));
}
