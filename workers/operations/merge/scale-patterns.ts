/** Patterns lie in the page's space, and must be scaled with it. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { newNumbers } from "../copy-pages/new-object.ts";
import { numbersOf } from "../copy-pages/read-object.ts";
import { type PageScale, round } from "./page-scale.ts";

/**
 * The page's resources with its patterns scaled: a pattern lies in the page's space, whatever the content's matrix
 * (ISO 32000-1 §8.7.3.1), so it would stay behind when the content is scaled.
 */
export function scalePatterns(resources: PDFDict, pageScaling: PageScale): PDFDict {
  const patterns = resources.lookup(PDFName.of("Pattern"));
  if (!(patterns instanceof PDFDict)) return resources;
  const scaled = PDFDict.withContext(patterns.context);
  for (const [key, value] of patterns.entries()) {
    scaled.set(key, scalePattern(patterns.context.lookup(value), pageScaling) ?? value);
  }
  const changed = resources.clone();
  changed.set(PDFName.of("Pattern"), scaled);
  return changed;
}

function scalePattern(pattern: PDFObject | undefined, pageScaling: PageScale): PDFObject | undefined {
  if (pattern instanceof PDFRawStream) {
    // A stream cannot stand inside a dictionary, so the changed one gets a place of its own in the source.
    const changed = PDFRawStream.of(scaledMatrix(pattern.dict, pageScaling), pattern.contents);
    return pattern.dict.context.register(changed);
  }
  return pattern instanceof PDFDict ? scaledMatrix(pattern, pageScaling) : undefined;
}

function scaledMatrix(dict: PDFDict, { scale, dx, dy }: PageScale): PDFDict {
  const value = dict.lookup(PDFName.of("Matrix"));
  const given = value instanceof PDFArray ? numbersOf(value) : undefined;
  const [a, b, c, d, e, f] = given?.length === 6 ? given : [1, 0, 0, 1, 0, 0];
  const at = (number: number | undefined) => (number ?? 0) * scale;
  const changed = dict.clone();
  changed.set(
    PDFName.of("Matrix"),
    newNumbers([at(a), at(b), at(c), at(d), at(e) + dx, at(f) + dy].map(round)),
  );
  return changed;
}
