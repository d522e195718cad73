/** The layers (ISO 32000-1 §8.11) that a part's pages use, shown or hidden as in the input. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from "pdf-lib";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import { arrayAt, dictAt } from "../copy-pages/read-object.ts";
import type { Round } from "./part-copiers.ts";
import type { SplitSource } from "./split-source.ts";

const maxDepth = 16;

/** @returns undefined when no page of the part has a layer. To be asked once all pages are copied. */
export function partLayers(source: SplitSource, rounds: readonly Round[]): PDFDict | undefined {
  const properties = dictAt(source.catalog, "OCProperties");
  const all = properties && arrayAt(properties, "OCGs");
  const copier = rounds[0]?.copier;
  if (!all || !copier) return undefined;
  const kept = (value: PDFObject): PDFRef | undefined => {
    const target = value instanceof PDFRef ? copier.seeded(value) : undefined;
    return target instanceof PDFRef ? target : undefined;
  };
  const layers = all.asArray().flatMap((value) => kept(value) ?? []);
  if (layers.length === 0) return undefined;
  const config = dictAt(properties, "D");
  const listed = (key: string) => keptOf(config && arrayAt(config, key), kept, 0);
  const own = newDict({ Order: newArray(listed("Order")) });
  for (const key of ["ON", "OFF", "Locked", "RBGroups"]) {
    if (listed(key).length > 0) own.set(PDFName.of(key), newArray(listed(key)));
  }
  const base = config?.lookup(PDFName.of("BaseState"));
  if (base instanceof PDFName) own.set(PDFName.of("BaseState"), base);
  return newDict({ OCGs: newArray(layers), D: own });
}

/** The kept layers of a list and of the lists in it; a list without any is left out with its label. */
function keptOf(
  list: PDFArray | undefined,
  kept: (value: PDFObject) => PDFRef | undefined,
  depth: number,
): PDFObject[] {
  const elements: PDFObject[] = [];
  let label: PDFObject | undefined;
  for (const [index, value] of (list?.asArray() ?? []).entries()) {
    const nested = list?.lookup(index);
    const layer = kept(value);
    if (layer) elements.push(layer);
    else if (nested instanceof PDFArray && depth < maxDepth) {
      const within = keptOf(nested, kept, depth + 1);
      if (within.length > 0) elements.push(newArray(within));
    } else if (index === 0 && depth > 0 && nested && !(nested instanceof PDFDict)) label = nested;
  }
  return label && elements.length > 0 ? [label, ...elements] : elements;
}
