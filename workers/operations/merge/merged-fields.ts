/** The form fields of all files in one form (ISO 32000-1 §12.7): clashing names are renamed, whatever names them follows. */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFString,
} from "pdf-lib";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { arrayAt, dictAt, type PdfText, plainText, textAt, textString } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { uniqueName } from "../copy-pages/unique-name.ts";
import { createMergedFormResources } from "./merged-form-resources.ts";

export type MergedFields = {
  /** Reads a file's form before anything of the file is copied. */
  forSource(source: SourcePdf, copier: ObjectCopier): SourceFields;
  /** The merged form; undefined when no file has fields. */
  form(): PDFDict | undefined;
};

export type SourceFields = {
  /** Changes the copy of a field, widget or action as the new names demand. */
  amend(copy: PDFDict, source: PDFDict): void;
  /** Adds the file's fields to the merged form. */
  take(): void;
};

export function createMergedFields(): MergedFields {
  const fields: PDFObject[] = [];
  const calculationOrder: PDFObject[] = [];
  const takenNames = new Set<string>();
  const resources = createMergedFormResources();
  let defaults: PDFDict | undefined;
  let needAppearances = false;

  function forSource(source: SourcePdf, copier: ObjectCopier): SourceFields {
    const form = dictAt(source.catalog, "AcroForm");
    if (!form) return { amend() {}, take() {} };
    const topFields = readTopFields(form);
    const newNames = namesFor(topFields, takenNames);
    const tops = new Set(topFields.map(({ dict }) => dict));
    const renameResource = resources.take(form, copier);
    return {
      amend(copy, original) {
        if (tops.has(original)) amendTopField(copy, form, newNames);
        renameResource(copy);
        amendFieldNames(copy, original, newNames);
      },
      take() {
        for (const { value } of topFields) {
          const copied = copier.copy(value);
          if (copied instanceof PDFRef) fields.push(copied);
        }
        for (const ref of arrayAt(form, "CO")?.asArray() ?? []) {
          const copied = copier.copy(ref);
          if (copied instanceof PDFRef) calculationOrder.push(copied);
        }
        for (const name of newNames.values()) takenNames.add(name);
        if (form.lookup(PDFName.of("NeedAppearances")) === PDFBool.True) needAppearances = true;
        defaults ??= copier.copyDict(
          newDict({ DA: form.get(PDFName.of("DA")), Q: form.get(PDFName.of("Q")) }),
        );
      },
    };
  }

  return {
    forSource,
    form() {
      if (fields.length === 0) return undefined;
      return newDict({
        Fields: newArray(fields),
        ...Object.fromEntries(
          (defaults?.entries() ?? []).map(([key, value]) => [key.asString().slice(1), value]),
        ),
        DR: resources.dict(),
        CO: calculationOrder.length > 0 ? newArray(calculationOrder) : undefined,
        NeedAppearances: needAppearances ? PDFBool.True : undefined,
      });
    },
  };
}

type TopField = { value: PDFObject; dict: PDFDict; name: string | undefined };

function readTopFields(form: PDFDict): TopField[] {
  const tops: TopField[] = [];
  const seen = new Set<PDFDict>();
  for (const value of arrayAt(form, "Fields")?.asArray() ?? []) {
    const dict = form.context.lookup(value);
    if (!(dict instanceof PDFDict) || seen.has(dict) || !(value instanceof PDFRef)) continue;
    seen.add(dict);
    const name = textAt(dict, "T");
    tops.push({ value, dict, name: name && plainText(name) });
  }
  return tops;
}

/** By old name the new one. Only names of earlier files clash: two equal ones in a file are its own affair. */
function namesFor(tops: readonly TopField[], taken: ReadonlySet<string>): Map<string, string> {
  const own = new Set(tops.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const { name } of tops) {
    if (name === undefined || names.has(name)) continue;
    const clashes = (candidate: string) => taken.has(candidate) || (candidate !== name && own.has(candidate));
    names.set(name, uniqueName(clashes, name));
  }
  return names;
}

function amendTopField(copy: PDFDict, form: PDFDict, newNames: ReadonlyMap<string, string>) {
  const name = plainText(textAt(copy, "T"));
  const fresh = newNames.get(name);
  if (fresh !== undefined && fresh !== name) copy.set(PDFName.of("T"), textString(fresh));
  // Each file's form has defaults of its own, and the merged form can have but one set.
  for (const key of ["DA", "Q"]) {
    const value = form.lookup(PDFName.of(key));
    if (value && !copy.has(PDFName.of(key))) copy.set(PDFName.of(key), value);
  }
}

const actionsOnFields: Record<string, string> = { ResetForm: "Fields", SubmitForm: "Fields", Hide: "T" };

/** Actions that name fields by text (ISO 32000-1 §12.7.5, §12.6.4.10). */
function amendFieldNames(copy: PDFDict, source: PDFDict, newNames: ReadonlyMap<string, string>) {
  const kind = source.get(PDFName.of("S"));
  const key = kind instanceof PDFName ? actionsOnFields[kind.asString().slice(1)] : undefined;
  if (key === undefined) return;
  const rename = (text: PdfText) => textString(renamed(plainText(text), newNames));
  const single = textAt(source, key);
  if (single) copy.set(PDFName.of(key), rename(single));
  const several = copy.get(PDFName.of(key));
  if (!(several instanceof PDFArray)) return;
  for (let index = 0; index < several.size(); index += 1) {
    const element = several.get(index);
    if (element instanceof PDFString || element instanceof PDFHexString) several.set(index, rename(element));
  }
}

/** "total.net" follows its top field "total". */
function renamed(fullName: string, newNames: ReadonlyMap<string, string>): string {
  const dot = fullName.indexOf(".");
  const top = dot < 0 ? fullName : fullName.slice(0, dot);
  const fresh = newNames.get(top);
  return fresh === undefined ? fullName : fresh + fullName.slice(top.length);
}
