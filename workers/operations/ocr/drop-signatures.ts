import { PDFDict, type PDFDocument, PDFName } from "pdf-lib";

/** Removes the values of signature fields: the result is another document than the one that was signed. The fields stay. */
export function dropSignatures(document: PDFDocument): void {
  const { catalog, context } = document;
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict && object.get(PDFName.of("FT")) === PDFName.of("Sig"))
      object.delete(PDFName.of("V"));
  }
  catalog.delete(PDFName.of("Perms"));
  const form = catalog.lookup(PDFName.of("AcroForm"));
  if (form instanceof PDFDict) form.delete(PDFName.of("SigFlags"));
}
