/** What structure elements call by name: roles, attribute classes and ids (ISO 32000-1 §14.7.2–14.7.5). */
import { PDFArray, PDFDict, PDFName, PDFNull, type PDFObject, type PDFRef } from "pdf-lib";
import { readNameTree, writeNameTree } from "../copy-pages/name-tree.ts";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { arrayAt, bytesOf, dictAt, type PdfText, stringOfBytes, textAt } from "../copy-pages/read-object.ts";
import { serialise } from "../copy-pages/serialise.ts";
import { uniqueName } from "../copy-pages/unique-name.ts";

export type MergedElementNames = {
  forSource(tree: PDFDict): SourceElementNames;
  /** Entries of the merged tree's root. */
  entries(writer: PdfWriter): Record<string, PDFObject>;
};

export type SourceElementNames = {
  amend(copy: PDFDict, source: PDFDict): void;
  take(copier: ObjectCopier): void;
};

type Renames = ReadonlyMap<string, string>;

export function createMergedElementNames(): MergedElementNames {
  const roles = new Map<string, PDFObject>();
  const classes = new Map<string, PDFObject>();
  const ids = new Map<string, PDFObject>();
  const namespaces: PDFObject[] = [];

  function forSource(tree: PDFDict): SourceElementNames {
    const roleNames = takeRoles(dictAt(tree, "RoleMap"), roles);
    const classMap = dictAt(tree, "ClassMap")?.entries() ?? [];
    const classNames = renamesFor(
      classMap.map(([key]) => nameOf(key)),
      classes,
    );
    const ownIds = readNameTree(dictAt(tree, "IDTree"));
    const idNames = renamesFor(
      ownIds.map(([id]) => id),
      ids,
    );
    return {
      amend(copy, source) {
        if (!source.has(PDFName.of("S")) || !source.has(PDFName.of("P"))) return;
        renameIn(copy, "S", roleNames);
        renameIn(copy, "C", classNames);
        const id = textAt(copy, "ID");
        if (id) copy.set(PDFName.of("ID"), renamedText(id, idNames));
        if (idNames.size > 0) renameHeaders(copy, idNames);
      },
      take(copier) {
        for (const [key, value] of classMap) {
          classes.set(classNames.get(nameOf(key)) ?? nameOf(key), copier.copy(value));
        }
        for (const [id, element] of ownIds) {
          const copied = copier.copy(element);
          if (copied !== PDFNull) ids.set(idNames.get(id) ?? id, copied);
        }
        for (const namespace of arrayAt(tree, "Namespaces")?.asArray() ?? []) {
          namespaces.push(copier.copy(namespace));
        }
      },
    };
  }

  return {
    forSource,
    entries(writer) {
      const entries: Record<string, PDFObject> = {};
      if (roles.size > 0) entries.RoleMap = newDict(Object.fromEntries(roles));
      if (classes.size > 0) entries.ClassMap = newDict(Object.fromEntries(classes));
      if (ids.size > 0) entries.IDTree = writeNameTree(writer, ids) satisfies PDFRef;
      if (namespaces.length > 0) entries.Namespaces = newArray(namespaces);
      return entries;
    },
  };
}

/** Adds a file's roles; one that means something else in an earlier file gets another name. */
function takeRoles(roleMap: PDFDict | undefined, roles: Map<string, PDFObject>): Renames {
  const renames = new Map<string, string>();
  for (const [key] of roleMap?.entries() ?? []) {
    const standard = roleMap?.lookup(key);
    if (!(standard instanceof PDFName)) continue;
    const differs = (name: string) =>
      roles.has(name) && serialise(roles.get(name) ?? PDFNull) !== serialise(standard);
    const fresh = uniqueName(differs, nameOf(key));
    roles.set(fresh, standard);
    if (fresh !== nameOf(key)) renames.set(nameOf(key), fresh);
  }
  return renames;
}

function renamesFor(names: readonly string[], taken: ReadonlyMap<string, PDFObject>): Renames {
  const own = new Set(names);
  const renames = new Map<string, string>();
  for (const name of own) {
    const fresh = uniqueName((wanted) => taken.has(wanted) || (wanted !== name && own.has(wanted)), name);
    if (fresh !== name) renames.set(name, fresh);
  }
  return renames;
}

function renameIn(copy: PDFDict, key: string, renames: Renames) {
  if (renames.size === 0) return;
  const value = copy.get(PDFName.of(key));
  if (value instanceof PDFName) copy.set(PDFName.of(key), renamedName(value, renames));
  if (!(value instanceof PDFArray)) return;
  for (let index = 0; index < value.size(); index += 1) {
    const element = value.get(index);
    if (element instanceof PDFName) value.set(index, renamedName(element, renames));
  }
}

/** Table cells name their header cells by id (ISO 32000-1 §14.8.5.7). */
function renameHeaders(copy: PDFDict, renames: Renames) {
  const attributes = copy.get(PDFName.of("A"));
  const owners = attributes instanceof PDFArray ? attributes.asArray() : [attributes];
  for (const owner of owners) {
    const headers = owner instanceof PDFDict ? owner.get(PDFName.of("Headers")) : undefined;
    if (!(headers instanceof PDFArray)) continue;
    for (let index = 0; index < headers.size(); index += 1) {
      headers.set(index, renamedText(headers.get(index) as PdfText, renames));
    }
  }
}

function renamedText(text: PdfText, renames: Renames): PDFObject {
  if (typeof text.asBytes !== "function") return text;
  const fresh = renames.get(bytesOf(text));
  return fresh === undefined ? text : stringOfBytes(fresh);
}

function renamedName(name: PDFName, renames: Renames): PDFName {
  return PDFName.of(renames.get(nameOf(name)) ?? nameOf(name));
}

function nameOf(name: PDFName): string {
  return name.asString().slice(1);
}
