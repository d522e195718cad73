/** What each page of a PDF is, and which fonts they use. */
import type { InspectData } from "../../../platform/contracts/pdf-inspect.ts";
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { decidePage } from "../ocr/decide-page.ts";
import { type PageEvidence, pageEvidence } from "../ocr/page-evidence.ts";
import { objectTypes, walkPageObjects } from "../ocr/page-objects.ts";
import { withTextPage } from "../ocr/page-text.ts";
import { call, withMemory } from "../ocr/pdfium-calls.ts";

type InspectedPage = NonNullable<InspectData["pages"]>[number];
type InspectedFont = NonNullable<InspectData["fonts"]>[number];

export type PageSurvey = {
  pages: InspectedPage[];
  fonts: InspectedFont[];
  images: number;
  formFields: number;
};

// fpdf_annot.h: FPDF_ANNOT_WIDGET.
const widget = 20;

/** The first `most` pages. */
export function inspectPages(document: PdfiumDocument, most: number): PageSurvey {
  const pages: InspectedPage[] = [];
  const fonts = new Map<string, InspectedFont>();
  let formFields = 0;
  for (let page = 1; page <= Math.min(document.pageCount, most); page += 1) {
    const size = document.pageSize(page - 1);
    // Reading a page's text makes its fields part of the page, so they are counted first.
    formFields += countWidgets(document, page);
    const found = withTextPage(document, page, (handle, textPage) => {
      collectFonts(document.engine, handle, fonts);
      const rotation = (call(document.engine, "FPDFPage_GetRotation", handle) & 3) * 90;
      return { evidence: pageEvidence(document.engine, handle, textPage), rotation };
    });
    pages.push({
      page,
      width: round2(size?.width ?? 0),
      height: round2(size?.height ?? 0),
      rotation: (found?.rotation ?? 0) as InspectedPage["rotation"],
      ...contentOf(found?.evidence),
    });
  }
  const images = pages.reduce((sum, page) => sum + page.images, 0);
  return { pages, fonts: [...fonts.values()], images, formFields };
}

function contentOf(evidence: PageEvidence | undefined) {
  if (evidence === undefined) {
    return { content: "unreadable", reason: "the page cannot be opened", characters: 0, images: 0 } as const;
  }
  const { decision, why: reason } = decidePage(evidence);
  const { characters, images } = evidence;
  const unread = images > 0 ? "scan" : "drawing";
  const content = !evidence.marked ? "blank" : decision === "read" ? "text" : unread;
  return { content, reason, characters, images } as const;
}

function countWidgets({ engine, handle }: PdfiumDocument, page: number): number {
  const pageHandle = call(engine, "FPDF_LoadPage", handle, page - 1);
  if (pageHandle === 0) return 0;
  let widgets = 0;
  const count = call(engine, "FPDFPage_GetAnnotCount", pageHandle);
  for (let index = 0; index < count; index += 1) {
    const annotation = call(engine, "FPDFPage_GetAnnot", pageHandle, index);
    if (annotation === 0) continue;
    if (call(engine, "FPDFAnnot_GetSubtype", annotation) === widget) widgets += 1;
    call(engine, "FPDFPage_CloseAnnot", annotation);
  }
  call(engine, "FPDF_ClosePage", pageHandle);
  return widgets;
}

function collectFonts(pdfium: Pdfium, page: number, fonts: Map<string, InspectedFont>): void {
  const seen = new Set<number>();
  walkPageObjects(pdfium, page, (object, type) => {
    const font = type === objectTypes.text ? call(pdfium, "FPDFTextObj_GetFont", object) : 0;
    if (font === 0 || seen.has(font)) return true;
    seen.add(font);
    const name = fontName(pdfium, font);
    const embedded = call(pdfium, "FPDFFont_GetIsEmbedded", font) === 1;
    fonts.set(`${name} ${embedded}`, { name, embedded });
    return true;
  });
}

function fontName(pdfium: Pdfium, font: number): string {
  const bytes = call(pdfium, "FPDFFont_GetBaseFontName", font, 0, 0);
  if (bytes <= 1) return "";
  return withMemory(pdfium, bytes, (at) => {
    call(pdfium, "FPDFFont_GetBaseFontName", font, at, bytes);
    return Buffer.from(pdfium.module.HEAPU8.subarray(at, at + bytes - 1)).toString("utf8");
  });
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
