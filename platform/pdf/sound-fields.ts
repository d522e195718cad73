/** Whether a form's fields are a tree at all. */
import { PDFArray, PDFDict, type PDFDocument, PDFName } from "pdf-lib";

const maxDepth = 64;

/**
 * False where a field is reached twice or nested too deep: a few dozen fields that share their kids make 2³² of them to
 * whoever walks them all, and PDFium's form filler does. Nothing of such a form may be drawn.
 */
export function hasSoundFields({ catalog }: PDFDocument): boolean {
  const form = catalog.lookup(PDFName.of("AcroForm"));
  const seen = new Set<PDFDict>();
  const isSound = (fields: unknown, depth: number): boolean => {
    if (!(fields instanceof PDFArray)) return true;
    if (depth > maxDepth) return false;
    for (let index = 0; index < fields.size(); index += 1) {
      const field = fields.lookup(index);
      if (!(field instanceof PDFDict)) continue;
      if (seen.has(field)) return false;
      seen.add(field);
      if (!isSound(field.lookup(PDFName.of("Kids")), depth + 1)) return false;
    }
    return true;
  };
  return !(form instanceof PDFDict) || isSound(form.lookup(PDFName.of("Fields")), 0);
}
