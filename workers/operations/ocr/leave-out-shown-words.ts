/** Keeps words out of a text layer that the page itself has as text: they would be found and copied twice. */
import type { Pdfium } from "../../../platform/pdf/pdfium.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { apply } from "./affine.ts";
import type { PlacedWord, TextLayer } from "./ocr-phases.ts";
import { walkCharacters } from "./page-characters.ts";
import { withTextPage } from "./page-text.ts";
import { call, readDoubles, readTwoIntegers } from "./pdfium-calls.ts";

/** Its middle on the page as shown, x and y from 0 to 1, origin at its top left. */
type ShownCharacter = { character: string; x: number; y: number };

// More than a page of the finest print; a hostile page has millions.
const maxCharacters = 50_000;
// Recognition may misread a letter; a font whose codes stand for other letters misses nearly all.
const sameShare = 0.5;

/** What the page shows as text but other than it was read stays in the layer: its font says something else. */
export function leaveOutShownWords(layer: TextLayer, document: PdfiumDocument, page: number): TextLayer {
  const shown = withTextPage(document, page, (handle, textPage) =>
    shownCharacters(document.engine, handle, textPage),
  );
  if (shown === null || shown.length === 0) return layer;
  return { ...layer, words: layer.words.filter((word) => !isShown(word, layer, shown)) };
}

function shownCharacters(pdfium: Pdfium, page: number, textPage: number): ShownCharacter[] {
  const shown: ShownCharacter[] = [];
  walkCharacters(pdfium, textPage, ({ index, code, unmapped, invisible }) => {
    if (unmapped || invisible || shown.length >= maxCharacters) return;
    const box = readDoubles(pdfium, 4, (at) =>
      call(pdfium, "FPDFText_GetCharBox", textPage, index, at, at + 8, at + 16, at + 24),
    );
    if (box === null) return;
    const [left = 0, right = 0, bottom = 0, top = 0] = box;
    const [x, y] = placeOnShownPage(pdfium, page, (left + right) / 2, (bottom + top) / 2);
    shown.push({ character: String.fromCodePoint(code), x, y });
  });
  return shown;
}

function placeOnShownPage(pdfium: Pdfium, page: number, x: number, y: number): [number, number] {
  const steps = 1_000_000;
  const [across, down] = readTwoIntegers(pdfium, (atX, atY) =>
    call(pdfium, "FPDF_PageToDevice", page, 0, 0, steps, steps, 0, x, y, atX, atY),
  );
  return [across / steps, down / steps];
}

function isShown(word: PlacedWord, { toPage }: TextLayer, shown: readonly ShownCharacter[]): boolean {
  const [x0, y0] = apply(toPage, word.left, word.top);
  const [x1, y1] = apply(toPage, word.right, word.bottom);
  const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
  const there = shown.filter(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
  return shareOfSame(word.text, there.map(({ character }) => character).join("")) >= sameShare;
}

/** How much two words have in common, 0–1, in whatever order their characters stand. */
function shareOfSame(one: string, other: string): number {
  const [longer = [], shorter = []] = [one, other]
    .map((text) => [...text.normalize("NFKC").toLowerCase()])
    .toSorted((a, b) => b.length - a.length);
  const left = [...longer];
  for (const character of shorter) {
    const at = left.indexOf(character);
    if (at >= 0) left.splice(at, 1);
  }
  return longer.length === 0 ? 0 : (longer.length - left.length) / longer.length;
}
