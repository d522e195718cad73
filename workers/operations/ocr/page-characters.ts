/** The characters that a PDF page itself has, one by one (fpdf_text.h). */
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import { call } from "./pdfium-calls.ts";

export type PageCharacter = {
  /** Its place in the text page. */
  index: number;
  /** A UTF-16 unit. */
  code: number;
  /** The font does not say, in a way that means something, which character it shows. */
  unmapped: boolean;
  /** Drawn with render mode 3, as an earlier OCR's text layer is. */
  invisible: boolean;
};

const invisibleMode = 3;

/** Visits all that are not white space: PDFium adds spaces and line ends of its own. */
export function walkCharacters(
  pdfium: Pdfium,
  textPage: number,
  visit: (character: PageCharacter) => void,
): void {
  const modes = new Map<number, number>();
  const count = call(pdfium, "FPDFText_CountChars", textPage);
  for (let index = 0; index < count; index += 1) {
    const code = call(pdfium, "FPDFText_GetUnicode", textPage, index);
    if (code === 32 || code === 10 || code === 13 || code === 9 || code === 0xa0) continue;
    const object = call(pdfium, "FPDFText_GetTextObject", textPage, index);
    let mode = modes.get(object);
    if (mode === undefined) {
      mode = object === 0 ? 0 : call(pdfium, "FPDFTextObj_GetTextRenderMode", object);
      modes.set(object, mode);
    }
    const unmapped = meansNothing(code) || call(pdfium, "FPDFText_HasUnicodeMapError", textPage, index) === 1;
    visit({ index, code, unmapped, invisible: mode === invisibleMode });
  }
}

/** Control characters, the replacement character and private use say nothing to a reader; 2 is PDFium's hyphen. */
function meansNothing(code: number): boolean {
  if (code < 32) return code !== 2;
  return code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;
}
