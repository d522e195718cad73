/** Objects that are the same, kept once: whole content is compared, never a part of it. */
import { createHash } from "node:crypto";
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import { reachableObjects } from "./reachable-objects.ts";
import { serializeObject } from "./serialize-object.ts";

const maxRounds = 6;

// What has a place of its own in a tree, or is told apart by being itself.
const placedKeys = ["Parent", "P", "Prev", "Next", "T", "StructParent", "StructParents", "OC", "Kids"].map(
  (key) => PDFName.of(key),
);
const placedTypes = new Set<PDFObject>(
  ["Page", "Pages", "Catalog", "Annot", "OCG", "OCMD", "StructElem", "StructTreeRoot", "Sig"].map((type) =>
    PDFName.of(type),
  ),
);
const typeKey = PDFName.of("Type");

/**
 * Shares identical objects until no more are found: fonts become the same once their programs are one.
 * References to the copies are rewritten in place.
 */
export function shareIdentical(context: PDFContext): void {
  const objects = reachableObjects(context);
  const digests = new Map<PDFRawStream, string>();
  const first = new Map<string, PDFRef>();
  // Only an object whose references were rewritten can have become the same as another.
  let changed = [...objects].filter(([, object]) => mayBeShared(object));
  for (let round = 0; round < maxRounds && changed.length > 0; round += 1) {
    const replacements = new Map<PDFRef, PDFRef>();
    for (const [ref, object] of changed) {
      const key = keyOf(object, digests);
      const known = first.get(key);
      if (known === undefined) first.set(key, ref);
      else if (known !== ref) replacements.set(ref, known);
    }
    if (replacements.size === 0) return;
    for (const ref of replacements.keys()) objects.delete(ref);
    changed = [...objects].filter(
      ([, object]) => replaceReferences(object, replacements) && mayBeShared(object),
    );
  }
}

function mayBeShared(object: PDFObject): boolean {
  const dict = object instanceof PDFRawStream ? object.dict : object;
  if (object instanceof PDFArray) return object.size() > 0;
  if (!(dict instanceof PDFDict)) return false;
  const type = dict.get(typeKey);
  if (type !== undefined && placedTypes.has(type)) return false;
  return !placedKeys.some((key) => dict.has(key));
}

function keyOf(object: PDFObject, digests: Map<PDFRawStream, string>): string {
  const text = serializeObject(object, identityNumber);
  if (!(object instanceof PDFRawStream))
    return text.length < 200 ? text : digest(Buffer.from(text, "latin1"));
  const known = digests.get(object) ?? digest(object.contents);
  digests.set(object, known);
  return `${known}${text}`;
}

function identityNumber(ref: PDFRef): number {
  return ref.objectNumber * 65536 + ref.generationNumber;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

/** Whether any was there to replace. */
function replaceReferences(object: PDFObject, replacements: ReadonlyMap<PDFRef, PDFRef>): boolean {
  if (object instanceof PDFRawStream) return replaceReferences(object.dict, replacements);
  let found = false;
  const replaced = (value: PDFObject, set: (other: PDFRef) => void): void => {
    const other = value instanceof PDFRef ? replacements.get(value) : undefined;
    if (other) set(other);
    if (other || replaceReferences(value, replacements)) found = true;
  };
  if (object instanceof PDFDict) {
    for (const [key, value] of object.entries()) replaced(value, (other) => object.set(key, other));
  } else if (object instanceof PDFArray) {
    for (const [index, value] of object.asArray().entries())
      replaced(value, (other) => object.set(index, other));
  }
  return found;
}
