/** The bytes that a seal is added to: the uploaded ones, unless they are too damaged to be added to. */

import { PDFName } from "pdf-lib";
import { asFailure } from "../../platform/contracts/failures.ts";
import { openPdf } from "../../platform/pdf/open-pdf.ts";
import { type FoundPage, findPages } from "./pdf-file/find-pages.ts";
import { openInPlace, type PdfInPlace } from "./pdf-file/open-in-place.ts";

export type Base = { pdf: PdfInPlace; pages: FoundPage[]; base: "original" | "repaired" };

/** @throws Failure as `openPdf` for what even repair does not open */
export async function openBase(original: Uint8Array): Promise<Base> {
  const sound = tryInPlace(original);
  if (sound) return { ...sound, base: "original" };
  const opened = await openPdf(original);
  const repaired =
    (opened.bytes === original ? undefined : tryInPlace(opened.bytes)) ??
    // pdf-lib reads more than it should; what it writes is sound.
    tryInPlace(await opened.document.save({ useObjectStreams: false, updateFieldAppearances: false }));
  if (repaired === undefined) throw asFailure(new Error("a repaired document cannot be read"));
  return { ...repaired, base: "repaired" };
}

function tryInPlace(bytes: Uint8Array): { pdf: PdfInPlace; pages: FoundPage[] } | undefined {
  try {
    const pdf = openInPlace(bytes);
    if (pdf.xref.trailer.has(PDFName.of("Encrypt"))) return undefined;
    const pages = findPages(pdf);
    return pages.length > 0 ? { pdf, pages } : undefined;
  } catch {
    return undefined;
  }
}
