/** The document as it was, to compare with: its texts and pictures, made when first asked for and kept. */
import { setImmediate } from "node:timers/promises";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import {
  type GreyPicture,
  openInPdfium,
  type PdfiumDocument,
} from "../../../platform/pdf/pdfium-document.ts";
import { hasSoundFields } from "../../../platform/pdf/sound-fields.ts";
import type { Comparison } from "./check-candidate.ts";

export type PdfLook = {
  pageCount: number;
  text: (index: number) => string;
  picture: (index: number) => GreyPicture | undefined;
  /** Makes texts and pictures ahead of their use, in turns with whatever else the thread has to do. */
  prepare: (comparison: Comparison, signal: AbortSignal) => Promise<void>;
  close: () => void;
};

const dotsPerInch = 100;
// A poster is looked at from further away.
const maxPixels = 4_000_000;

/** A document, parsed and as bytes. */
export type LookedAt = Pick<OpenedPdf, "document" | "bytes">;

/** Undefined when PDFium does not open it. */
export async function lookAt({ document: parsed, bytes }: LookedAt): Promise<PdfLook | undefined> {
  const document = await openInPdfium(bytes, { drawFields: hasSoundFields(parsed) });
  if (typeof document === "string") return undefined;
  const texts = new Map<number, string>();
  const pictures = new Map<number, GreyPicture | undefined>();
  const text = (index: number) => remembered(texts, index, () => wordsOf(document.pageText(index) ?? ""));
  const pictureOf = (index: number) => remembered(pictures, index, () => picture(document, index));
  const prepare: PdfLook["prepare"] = async (comparison, signal) => {
    for (const [make, pages] of [
      [pictureOf, comparison.pictures] as const,
      [text, comparison.texts] as const,
    ]) {
      for (const index of pages) {
        if (signal.aborted) return;
        make(index);
        await setImmediate(undefined);
      }
    }
  };
  return { pageCount: document.pageCount, text, picture: pictureOf, prepare, close: document.close };
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
