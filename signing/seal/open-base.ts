/** The bytes that a seal is added to: the uploaded ones, unless they are too damaged to be added to. */
import { PDFName } from "pdf-lib";
import { Failure } from "../../platform/contracts/failures.ts";
import { type OpenedPdf, openPdf } from "../../platform/pdf/open-pdf.ts";
import { rewriteWithQpdf } from "../../platform/pdf/repair-pdf.ts";
import { type FoundPage, findPages } from "./pdf-file/find-pages.ts";
import { openInPlace, type PdfInPlace } from "./pdf-file/open-in-place.ts";

export type Base = { pdf: PdfInPlace; pages: FoundPage[]; base: "original" | "repaired" };

/** @throws Failure as `openPdf` for what even repair does not open */
export async function openBase(original: Uint8Array): Promise<Base> {
  const sound = tryInPlace(original);
  if (sound) return { ...sound, base: "original" };
  const opened = await openPdf(original);
  for (const repair of repairs) {
    const bytes = await repair(original, opened);
    const repaired = bytes && tryInPlace(bytes);
    if (repaired) return { ...repaired, base: "repaired" };
  }
  const message = "This PDF is too damaged to be signed. Print it to a new PDF, then send that one.";
  throw new Failure("invalid_pdf", message);
}

// pdf-lib forgives more than it should; what it writes is sound as a rule.
const repairs: readonly ((original: Uint8Array, opened: OpenedPdf) => Promise<Uint8Array | undefined>)[] = [
  async (_, opened) => opened.bytes,
  (original) => rewriteWithQpdf(original, {}),
  (_, { document }) => document.save({ useObjectStreams: false, updateFieldAppearances: false }),
];

function tryInPlace(bytes: Uint8Array): { pdf: PdfInPlace; pages: FoundPage[] } | undefined {
  try {
    const pdf = openInPlace(bytes);
    if (pdf.xref.trailer.has(PDFName.of("Encrypt"))) return undefined;
    const pages = findPages(pdf);
    return pages.length > 0 ? { pdf, pages } : undefined;
  } catch {
    return undefined;
  }
}
