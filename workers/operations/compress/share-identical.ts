/** Objects that are the same, kept once: whole content is compared, never a part of it. */
import { createHash } from "node:crypto";
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import { reachableObjects } from "./reachable-objects.ts";
import { serializeObject } from "./serialize-object.ts";

const maxRounds = 6;

// What has a place of its own in a tree, or is told apart by being itself.
const placedKeys = ["Parent", "P", "Prev", "Next", "T", "StructParent", "StructParents", "OC", "Kids"];
const placedTypes = new Set([
  "Page",
  "Pages",
  "Catalog",
  "Annot",
  "OCG",
  "OCMD",
  "StructElem",
  "StructTreeRoot",
  "Sig",
]);

/**
 * Shares identical objects until no more are found: fonts become the same once their programs are one.
 * References to the copies are rewritten in place.
 */
export function shareIdentical(context: PDFContext): void {
  const digests = new Map<PDFRawStream, string>();
  for (let round = 0; round < maxRounds; round += 1) {
    const objects = reachableObjects(context);
    const first = new Map<string, PDFRef>();
    const replacements = new Map<PDFRef, PDFRef>();
    const identityNumber = (ref: PDFRef) => ref.objectNumber * 65536 + ref.generationNumber;
    for (const [ref, object] of objects) {
      if (!mayBeShared(object)) continue;
      const key = keyOf(object, digests, identityNumber);
      const known = first.get(key);
      if (known === undefined) first.set(key, ref);
      else replacements.set(ref, known);
    }
    if (replacements.size === 0) return;
    for (const object of objects.values()) replaceReferences(object, replacements);
  }
}

function mayBeShared(object: PDFObject): boolean {
  const dict = object instanceof PDFRawStream ? object.dict : object;
  if (object instanceof PDFArray) return object.size() > 0;
  if (!(dict instanceof PDFDict)) return false;
  const type = dict.get(PDFName.of("Type"));
  if (type instanceof PDFName && placedTypes.has(type.decodeText())) return false;
  return !placedKeys.some((key) => dict.has(PDFName.of(key)));
}

function keyOf(
  object: PDFObject,
  digests: Map<PDFRawStream, string>,
  numberOf: (ref: PDFRef) => number,
): string {
  const text = serializeObject(object, numberOf);
  if (!(object instanceof PDFRawStream))
    return text.length < 200 ? text : digest(Buffer.from(text, "latin1"));
  const known = digests.get(object) ?? digest(object.contents);
  digests.set(object, known);
  return `${known}${text}`;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

function replaceReferences(object: PDFObject, replacements: ReadonlyMap<PDFRef, PDFRef>): void {
  if (object instanceof PDFRawStream) replaceReferences(object.dict, replacements);
  else if (object instanceof PDFDict) {
    for (const [key, value] of object.entries()) {
      if (value instanceof PDFRef) {
        const other = replacements.get(value);
        if (other) object.set(key, other);
      } else replaceReferences(value, replacements);
    }
  } else if (object instanceof PDFArray) {
    for (let index = 0; index < object.size(); index += 1) {
      const value = object.get(index);
      if (value instanceof PDFRef) {
        const other = replacements.get(value);
        if (other) object.set(index, other);
      } else replaceReferences(value, replacements);
    }
  }
}
