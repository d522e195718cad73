/** Layers, "optional content" in the specification's words (ISO 32000-1 §8.11), of all files side by side. */
import { type PDFArray, type PDFDict, PDFName, PDFNull, type PDFObject, PDFRef } from "pdf-lib";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { arrayAt, dictAt, nameAt } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";

export type MergedLayers = {
  take(source: SourcePdf, copier: ObjectCopier): void;
  /** The merged properties; undefined when no file has layers. */
  properties(): PDFDict | undefined;
};

/** Parts of the default configuration that are lists, and can follow one another. */
const listKeys = ["Order", "RBGroups", "Locked", "AS"] as const;

export function createMergedLayers(): MergedLayers {
  const layers: PDFObject[] = [];
  const off: PDFObject[] = [];
  const lists = new Map<string, PDFObject[]>(listKeys.map((key) => [key, []]));
  return {
    take(source, copier) {
      const properties = dictAt(source.catalog, "OCProperties");
      if (!properties) return;
      const config = dictAt(properties, "D");
      const own = elementsOf(arrayAt(properties, "OCGs")).filter((layer) => layer instanceof PDFRef);
      copyInto(layers, own, copier);
      copyInto(off, hiddenLayers(own, config), copier);
      for (const key of listKeys) {
        copyInto(lists.get(key) as PDFObject[], elementsOf(config && arrayAt(config, key)), copier);
      }
    },
    properties() {
      if (layers.length === 0) return undefined;
      const config = newDict({ Order: newArray(lists.get("Order") ?? []) });
      if (off.length > 0) config.set(PDFName.of("OFF"), newArray(off));
      for (const [key, list] of lists) if (list.length > 0) config.set(PDFName.of(key), newArray(list));
      return newDict({ OCGs: newArray(layers), D: config });
    },
  };
}

/** A file whose base state is OFF lists what is shown; the merged one lists what is not, as most do. */
function hiddenLayers(layers: readonly PDFObject[], config: PDFDict | undefined): readonly PDFObject[] {
  if (!config) return [];
  if (nameAt(config, "BaseState") !== "OFF") return elementsOf(arrayAt(config, "OFF"));
  const shown = new Set(elementsOf(arrayAt(config, "ON")));
  return layers.filter((layer) => !shown.has(layer));
}

function copyInto(list: PDFObject[], values: readonly PDFObject[], copier: ObjectCopier) {
  for (const value of values) {
    const copied = copier.copy(value);
    if (copied !== PDFNull) list.push(copied);
  }
}

function elementsOf(array: PDFArray | undefined): readonly PDFObject[] {
  return array?.asArray() ?? [];
}
