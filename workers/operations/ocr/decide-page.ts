/** Whether a PDF page's own text is good enough to be read, or the page has to be looked at. */
import type { PageEvidence } from "./page-evidence.ts";

// Fewer visible characters than this on a scan are a stamp, a header or a page number, not the page's text.
const fewCharacters = 150;
const mostOfThePage = 0.5;
const someOfThePage = 0.2;
const manyUnmapped = 0.1;
const hardlyAnyLetters = 0.25;

export type Decision = { decision: "read" | "recognise"; why: string };

/**
 * The rule, first match wins:
 * 1. nothing drawn: read (as empty);
 * 2. no text: recognise;
 * 3. over a tenth of the characters have no usable Unicode value: recognise;
 * 4. over half are invisible, with images under them: an earlier OCR of a scan, recognise;
 * 5. few visible characters beside images that cover half the page: a stamped scan, recognise;
 * 6. under a quarter are letters or digits: codes of a font without a mapping that pass for symbols, recognise;
 * 7. else read.
 */
export function decidePage(evidence: PageEvidence): Decision {
  const { characters, unmapped, invisible, lettersAndDigits, imageCoverage } = evidence;
  if (!evidence.marked) return { decision: "read", why: "the page is blank" };
  if (characters === 0) return { decision: "recognise", why: "the page has no text" };
  if (unmapped > characters * manyUnmapped) {
    return { decision: "recognise", why: "the text's fonts do not say which characters they show" };
  }
  if (invisible > characters / 2 && imageCoverage >= someOfThePage) {
    return { decision: "recognise", why: "the text is invisible, over a scan" };
  }
  if (characters - invisible < fewCharacters && imageCoverage >= mostOfThePage) {
    return {
      decision: "recognise",
      why: "an image covers most of the page and little text stands beside it",
    };
  }
  if (lettersAndDigits < characters * hardlyAnyLetters) {
    return { decision: "recognise", why: "the text has hardly any letters or digits" };
  }
  return { decision: "read", why: "the page has real text" };
}
