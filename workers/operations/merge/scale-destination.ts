/** A destination's place on its page, in the page's new space (ISO 32000-1 §12.3.2.2). */
import { type PDFArray, PDFName, PDFNumber } from "pdf-lib";
import type { PageScale } from "./page-scale.ts";

/** Which element after the kind is an x (`dx`) and which a y (`dy`). */
const coordinates: Record<string, readonly ("dx" | "dy")[]> = {
  XYZ: ["dx", "dy"],
  FitH: ["dy"],
  FitBH: ["dy"],
  FitV: ["dx"],
  FitBV: ["dx"],
  FitR: ["dx", "dy", "dx", "dy"],
};

/** Scales an explicit destination `[page kind …]` of the target in place. Null coordinates mean "as it is" and stay. */
export function scaleDestination(array: PDFArray, pageScale: PageScale): void {
  const kind = array.size() > 1 ? array.get(1) : undefined;
  const axes = kind instanceof PDFName ? (coordinates[kind.asString().slice(1)] ?? []) : [];
  for (const [position, axis] of axes.entries()) {
    const index = position + 2;
    const value = index < array.size() ? array.get(index) : undefined;
    if (!(value instanceof PDFNumber)) continue;
    array.set(index, PDFNumber.of(value.asNumber() * pageScale.scale + pageScale[axis]));
  }
}
