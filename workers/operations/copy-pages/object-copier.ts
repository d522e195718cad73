/**
 * Copies objects from one document into another: whatever an object refers to comes along, except where the caller
 * has said beforehand what stands for it. So a page can be copied without its siblings, and links land on the copies.
 */
import { PDFArray, PDFDict, PDFName, PDFNull, type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import type { PdfWriter } from "./pdf-writer.ts";
import type { SharedObjects } from "./shared-objects.ts";
import type { SourcePdf } from "./source-pdf.ts";

/** Told of each dictionary after it is copied, to change the copy. `source` is the same object each time it is met. */
export type Amend = (copy: PDFDict, source: PDFDict) => void;

export type CopierOptions = {
  source: SourcePdf;
  writer: Pick<PdfWriter, "reserve" | "put">;
  amend?: Amend;
  /** What stands for a source object; asked before anything is copied. Null takes the object out. */
  standIn?: (ref: PDFRef) => PDFRef | typeof PDFNull | undefined;
  /** Finds objects of equal content that the target has already; without it every object is copied. */
  shared?: SharedObjects;
};

export type ObjectCopier = {
  /** From now on, `ref` of the source is `target`. */
  seed(ref: PDFRef, target: PDFRef | typeof PDFNull): void;
  /** What stands for `ref` so far. */
  seeded(ref: PDFRef): PDFRef | typeof PDFNull | undefined;
  /** A value as the target has it. What it refers to is written by the next `drain`. */
  copy(value: PDFObject): PDFObject;
  /** Entries of a dictionary, without those left out; the caller writes the copy. */
  copyDict(source: PDFDict, leaveOut?: ReadonlySet<string>): PDFDict;
  /** Writes everything that copies so far refer to; `into` another lane of the same file where given. */
  drain(into?: Pick<PdfWriter, "put">): void;
};

const maxSharedDepth = 24;
const structuralTypes = new Set(["Page", "Pages", "Catalog", "Template"].map((type) => PDFName.of(type)));
const typeKey = PDFName.of("Type");
const byteRangeKey = PDFName.of("ByteRange");

export function createObjectCopier({ source, writer, amend, standIn, shared }: CopierOptions): ObjectCopier {
  const { context } = source;
  const targets = new Map<PDFRef, PDFRef | typeof PDFNull>();
  const queue: [PDFRef, PDFObject][] = [];
  let sharedDepth = 0;

  function copyRef(ref: PDFRef): PDFObject {
    const known = targets.get(ref) ?? standIn?.(ref);
    if (known) return known;
    const object = context.lookup(ref);
    if (object === undefined || object === PDFNull || staysBehind(object)) return seedNull(ref);
    if (shared && sharedDepth < maxSharedDepth && shared.accepts(object, sharedDepth > 0)) {
      return copyShared(ref, object, shared);
    }
    const target = writer.reserve();
    targets.set(ref, target);
    queue.push([target, object]);
    return target;
  }

  // Depth first: only when all it refers to is known by its content, an object can be.
  function copyShared(ref: PDFRef, object: PDFObject, among: SharedObjects): PDFObject {
    const provisional = writer.reserve();
    targets.set(ref, provisional);
    sharedDepth += 1;
    const copied = copy(object);
    sharedDepth -= 1;
    const target = among.find(copied, provisional);
    if (target === provisional) writer.put(provisional, copied);
    targets.set(ref, target);
    return target;
  }

  function seedNull(ref: PDFRef) {
    targets.set(ref, PDFNull);
    return PDFNull;
  }

  function copy(value: PDFObject): PDFObject {
    if (value instanceof PDFRef) return copyRef(value);
    if (value instanceof PDFDict) return copyDict(value);
    if (value instanceof PDFArray) return copyArray(value);
    if (value instanceof PDFRawStream) {
      const dict = copyDict(value.dict);
      dict.set(PDFName.Length, context.obj(value.contents.length));
      return PDFRawStream.of(dict, value.contents);
    }
    return value;
  }

  function copyArray(array: PDFArray): PDFArray {
    const target = PDFArray.withContext(context);
    for (let index = 0, size = array.size(); index < size; index += 1) target.push(copy(array.get(index)));
    return target;
  }

  function copyDict(dict: PDFDict, leaveOut?: ReadonlySet<string>): PDFDict {
    const target = PDFDict.withContext(context);
    for (const [key, value] of dict.entries()) {
      if (leaveOut?.has(key.asString().slice(1))) continue;
      const copied = value instanceof PDFDict && staysBehind(value) ? PDFNull : copy(value);
      if (copied !== PDFNull) target.set(key, copied);
    }
    amend?.(target, dict);
    return target;
  }

  return {
    seed: (ref, target) => targets.set(ref, target),
    seeded: (ref) => targets.get(ref),
    copy,
    copyDict,
    drain(into = writer) {
      for (let next = queue.pop(); next; next = queue.pop()) into.put(next[0], copy(next[1]));
    },
  };
}

/**
 * Pages and trees that no one has seeded are not part of the document's reading order: they stay behind. So do digital
 * signatures, which hold for the bytes of their own file.
 */
function staysBehind(object: PDFObject): boolean {
  if (!(object instanceof PDFDict)) return false;
  const type = object.get(typeKey);
  return (type instanceof PDFName && structuralTypes.has(type)) || object.has(byteRangeKey);
}
