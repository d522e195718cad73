/** What a PDF page holds, measured: the ground on which it is decided whether its text is read or recognised. */

import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import { imageCoverage } from "./image-coverage.ts";
import { walkCharacters } from "./page-characters.ts";
import { objectTypes, walkPageObjects } from "./page-objects.ts";
import { call } from "./pdfium-calls.ts";

export type PageEvidence = {
  /** Characters that are not white space and that the page itself has (PDFium adds spaces and line ends). */
  characters: number;
  /** Of those: without a usable Unicode value. */
  unmapped: number;
  /** Of those: drawn with render mode 3, as an earlier OCR's text layer is. */
  invisible: number;
  /** Of those: letters and digits of any script. */
  lettersAndDigits: number;
  images: number;
  /** Share of the page under images, 0–1. */
  imageCoverage: number;
  /** Of the images, weighted by their area on the page; null without images. */
  imageDpi: number | null;
  /** Anything drawn at all, annotations included. */
  marked: boolean;
};

const drawn: readonly number[] = [objectTypes.path, objectTypes.image, objectTypes.shading];

/** Measures an open page whose text page is open too. */
export function pageEvidence(pdfium: Pdfium, page: number, textPage: number): PageEvidence {
  const characters = characterEvidence(pdfium, textPage);
  const coverage = imageCoverage(pdfium, page);
  let marked = characters.characters > 0 || call(pdfium, "FPDFPage_GetAnnotCount", page) > 0;
  let images = 0;
  walkPageObjects(pdfium, page, (object, type, toPage) => {
    marked ||= drawn.includes(type);
    if (type === objectTypes.image) {
      images += 1;
      coverage.add(object, toPage);
    }
    return true;
  });
  return { ...characters, images, imageCoverage: coverage.covered(), imageDpi: coverage.dpi(), marked };
}

function characterEvidence(pdfium: Pdfium, textPage: number) {
  const evidence = { characters: 0, unmapped: 0, invisible: 0, lettersAndDigits: 0 };
  walkCharacters(pdfium, textPage, ({ code, unmapped, invisible }) => {
    evidence.characters += 1;
    if (unmapped) evidence.unmapped += 1;
    else if (isLetterOrDigit(code)) evidence.lettersAndDigits += 1;
    if (invisible) evidence.invisible += 1;
  });
  return evidence;
}

function isLetterOrDigit(code: number): boolean {
  if (code < 128) {
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  }
  // PDFium gives UTF-16 units; half of a pair (rare ideographs, mathematical letters) counts as a letter.
  return (code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(code));
}
