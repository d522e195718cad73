/** A PDF page's own text through PDFium, filled-in form fields and stamps included. */
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { call, withMemory } from "./pdfium-calls.ts";

// fpdf_annot.h: FPDF_ANNOT_FREETEXT, FPDF_ANNOT_STAMP, FPDF_ANNOT_WIDGET.
const textCarriers: readonly number[] = [3, 13, 20];
const pdfiumHyphen = "\u0002";

/** The text of an open text page, tidied. */
export function pageText(pdfium: Pdfium, textPage: number): string {
  const count = call(pdfium, "FPDFText_CountChars", textPage);
  if (count <= 0) return "";
  return withMemory(pdfium, (count + 1) * 2, (pointer) => {
    const units = call(pdfium, "FPDFText_GetText", textPage, 0, count, pointer);
    const bytes = pdfium.module.HEAPU8.subarray(pointer, pointer + Math.max(units - 1, 0) * 2);
    return tidyText(new TextDecoder("utf-16le").decode(bytes));
  });
}

/** Plain line ends, visible hyphens, no control characters, no space at line ends, at most one empty line in a row. */
export function tidyText(raw: string): string {
  return (
    raw
      .replace(/\r\n?/g, "\n")
      // PDFium marks a word broken over two lines with 2, older versions with U+FFFE.
      .replaceAll("\ufffe", pdfiumHyphen)
      .replace(new RegExp(`${pdfiumHyphen}\\n?`, "g"), "-\n")
      .replace(/[^\P{Cc}\n\t]/gu, "")
      .replace(/[ \t\u00a0]+$/gm, "")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
      .toWellFormed()
      .normalize("NFC")
  );
}

/**
 * Opens a page's text for the time of `use`. What annotations show (field values, free text, stamps) is not part of
 * a page's text for PDFium, so it is first made part of the page, in memory.
 */
export function withTextPage<Result>(
  document: PdfiumDocument,
  page: number,
  use: (page: number, textPage: number) => Result,
): Result | null {
  const { engine: pdfium, handle } = document;
  let pageHandle = call(pdfium, "FPDF_LoadPage", handle, page - 1);
  if (pageHandle === 0) return null;
  if (hasTextCarriers(pdfium, pageHandle) && call(pdfium, "FPDFPage_Flatten", pageHandle, 0) === 1) {
    call(pdfium, "FPDF_ClosePage", pageHandle);
    pageHandle = call(pdfium, "FPDF_LoadPage", handle, page - 1);
    if (pageHandle === 0) return null;
  }
  const textPage = call(pdfium, "FPDFText_LoadPage", pageHandle);
  try {
    return textPage === 0 ? null : use(pageHandle, textPage);
  } finally {
    if (textPage !== 0) call(pdfium, "FPDFText_ClosePage", textPage);
    call(pdfium, "FPDF_ClosePage", pageHandle);
  }
}

function hasTextCarriers(pdfium: Pdfium, page: number): boolean {
  const count = Math.min(call(pdfium, "FPDFPage_GetAnnotCount", page), 1000);
  for (let index = 0; index < count; index += 1) {
    const annotation = call(pdfium, "FPDFPage_GetAnnot", page, index);
    if (annotation === 0) continue;
    const subtype = call(pdfium, "FPDFAnnot_GetSubtype", annotation);
    call(pdfium, "FPDFPage_CloseAnnot", annotation);
    if (textCarriers.includes(subtype)) return true;
  }
  return false;
}
