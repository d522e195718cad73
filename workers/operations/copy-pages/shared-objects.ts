/** Fonts, images and other resources of equal content, stored once however many files bring them. */
import { createHash } from "node:crypto";
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream, type PDFRef } from "pdf-lib";
import { serialise } from "./serialise.ts";

export type SharedObjects = {
  /** Whether an object may be shared; `within` a shared one plain dictionaries and arrays may be too. */
  accepts(object: PDFObject, within: boolean): boolean;
  /** The place of an equal object (whole content compared by SHA-256), or `place` itself, from then on known. */
  find(copied: PDFObject, place: PDFRef): PDFRef;
};

// What has an identity of its own, even where two look alike.
const individualTypes = new Set([
  "Page",
  "Pages",
  "Catalog",
  "Annot",
  "OCG",
  "OCMD",
  "StructElem",
  "Filespec",
]);
const individualKeys = ["StructParent", "StructParents", "OC", "Parent", "P"].map((key) => PDFName.of(key));

export function createSharedObjects(): SharedObjects {
  const known = new Map<string, PDFRef>();
  return {
    accepts(object, within) {
      if (object instanceof PDFRawStream) return isAnonymous(object.dict);
      if (object instanceof PDFDict) {
        return isAnonymous(object) && (within || object.get(PDFName.Type) === PDFName.Font);
      }
      return within && object instanceof PDFArray;
    },
    find(copied, place) {
      const key = contentKey(copied);
      const before = known.get(key);
      if (before) return before;
      known.set(key, place);
      return place;
    },
  };
}

function isAnonymous(dict: PDFDict): boolean {
  const type = dict.get(PDFName.Type);
  if (type instanceof PDFName && individualTypes.has(type.asString().slice(1))) return false;
  return !individualKeys.some((key) => dict.has(key));
}

function contentKey(object: PDFObject): string {
  const hash = createHash("sha256");
  if (!(object instanceof PDFRawStream)) return hash.update(serialise(object), "latin1").digest("base64");
  return hash
    .update(`${serialise(object.dict)}\n`, "latin1")
    .update(object.contents)
    .digest("base64");
}
