/** Digital signatures in a PDF (ISO 32000-1 §12.8): values that a change to the file would void. */
import { PDFArray, PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from "pdf-lib";

/**
 * How many signature values the document carries, time stamps included. An empty signature field is none, and usage
 * rights (`Perms/UR3`, Adobe's switch for extra menus) do not count: nobody signed.
 */
export function countDigitalSignatures(document: PDFDocument): number {
  const { context } = document;
  const usageRights = usageRightsOf(document);
  let count = 0;
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (usageRights.has(ref) || usageRights.has(object)) continue;
    if (isSignatureValue(object)) count += 1;
    // The value may stand inside its field's dictionary.
    else if (object instanceof PDFDict && object.get(PDFName.of("FT")) === PDFName.of("Sig")) {
      if (isSignatureValue(object.get(PDFName.of("V")))) count += 1;
    }
  }
  return count;
}

function usageRightsOf(document: PDFDocument): Set<unknown> {
  const permissions = document.catalog.lookup(PDFName.of("Perms"));
  const found = new Set<unknown>();
  if (!(permissions instanceof PDFDict)) return found;
  for (const key of ["UR", "UR3"]) {
    found.add(permissions.get(PDFName.of(key)));
    found.add(permissions.lookup(PDFName.of(key)));
  }
  found.delete(undefined);
  return found;
}

function isSignatureValue(object: unknown): boolean {
  if (!(object instanceof PDFDict)) return false;
  const contents = object.lookup(PDFName.of("Contents"));
  const range = object.lookup(PDFName.of("ByteRange"));
  const isString = contents instanceof PDFHexString || contents instanceof PDFString;
  return isString && range instanceof PDFArray && /[1-9a-f]/i.test(contents.asString());
}
