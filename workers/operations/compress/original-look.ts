/** The document as it was, to compare with: its texts and pictures, made when first asked for and kept. */
import {
  type GreyPicture,
  openInPdfium,
  type PdfiumDocument,
} from "../../../platform/pdf/pdfium-document.ts";
import { sampledPages } from "./sampled-pages.ts";

export type PdfLook = {
  pageCount: number;
  samples: readonly number[];
  text: (index: number) => string;
  picture: (index: number) => GreyPicture | undefined;
  close: () => void;
};

const dotsPerInch = 100;
// A poster is looked at from further away.
const maxPixels = 4_000_000;

/** Undefined when PDFium does not open it. */
export async function lookAt(bytes: Uint8Array): Promise<PdfLook | undefined> {
  const document = await openInPdfium(bytes);
  if (typeof document === "string") return undefined;
  const texts = new Map<number, string>();
  const pictures = new Map<number, GreyPicture | undefined>();
  return {
    pageCount: document.pageCount,
    samples: sampledPages(document.pageCount),
    text: (index) => remembered(texts, index, () => wordsOf(document.pageText(index) ?? "")),
    picture: (index) => remembered(pictures, index, () => picture(document, index)),
    close: document.close,
  };
}

function remembered<T>(known: Map<number, T>, index: number, make: () => T): T {
  if (!known.has(index)) known.set(index, make());
  return known.get(index) as T;
}

/** White space is a renderer's guess: how much of it there is between words says nothing. */
function wordsOf(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function picture(document: PdfiumDocument, index: number): GreyPicture | undefined {
  const size = document.pageSize(index);
  if (size === undefined) return undefined;
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(maxPixels / Math.max(1, size.width * size.height)));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  return document.renderGrey(index, Math.min(width, maxPixels), Math.min(height, maxPixels));
}
