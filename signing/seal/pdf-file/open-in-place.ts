/** A PDF whose objects are read one by one, when they are asked for: 100 MB cost no more than what is looked at. */
import {
  PDFCatalog,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { parseIndirectObject } from "./parse-indirect-object.ts";
import { parseObject } from "./parse-object.ts";
import { readXref, type Xref, type XrefEntry } from "./read-xref.ts";
import { Scanner } from "./scanner.ts";

export type PdfInPlace = {
  bytes: Uint8Array;
  /** Its `lookup` reads from the file; what is registered or assigned in it is new. */
  context: PDFContext;
  catalog: PDFCatalog;
  catalogRef: PDFRef;
  xref: Xref;
};

const maxObjectStreamBytes = 64 * 2 ** 20;
// Decoded object streams are kept; together they may not take more than this.
const maxKeptBytes = 192 * 2 ** 20;

/**
 * @param bytes the whole file; never written to
 * @throws Error where its cross-reference is not as it should be, or where it has no catalog
 */
export function openInPlace(bytes: Uint8Array): PdfInPlace {
  const context = PDFContext.create();
  const xref = readXref(bytes, context);
  readWhenAskedFor({ bytes, context, xref });
  context.largestObjectNumber = largestNumber(xref);
  const catalogRef = xref.trailer.get(PDFName.of("Root"));
  if (!(catalogRef instanceof PDFRef)) throw new Error("no catalog");
  return { bytes, context, xref, catalogRef, catalog: asCatalog(context, catalogRef) };
}

// Some writers leave out the catalog's Type.
function asCatalog(context: PDFContext, ref: PDFRef): PDFCatalog {
  const found = context.lookup(ref);
  if (found instanceof PDFCatalog) return found;
  if (!(found instanceof PDFDict) || !found.has(PDFName.of("Pages"))) throw new Error("no catalog");
  const catalog = PDFCatalog.fromMapWithContext(new Map(found.entries()), context);
  catalog.set(PDFName.of("Type"), PDFName.of("Catalog"));
  context.assign(ref, catalog);
  return catalog;
}

// Numbers above Size are not in use for a strict reader, but a lenient one may know them.
function largestNumber(xref: Xref): number {
  const size = xref.trailer.get(PDFName.of("Size"));
  let largest = size instanceof PDFNumber ? size.asNumber() - 1 : 0;
  for (const number of xref.entries.keys()) largest = Math.max(largest, number);
  return largest;
}

type File = { bytes: Uint8Array; context: PDFContext; xref: Xref };

function readWhenAskedFor(file: File): void {
  const { context, xref } = file;
  const asked = new Set<PDFRef>();
  const objectStreams = createObjectStreams(file);
  const load = (key: unknown) => {
    // Noted before anything is read: a stream whose Length is the stream itself would go round for ever.
    if (!(key instanceof PDFRef) || asked.has(key)) return;
    asked.add(key);
    const entry = xref.entries.get(key.objectNumber);
    const object = entry && readEntry(file, key, entry, objectStreams);
    if (object) context.assign(key, object);
  };
  const readFirst = (lookUp: LookUp): LookUp => {
    return (...keyAndTypes) => {
      load(keyAndTypes[0]);
      return lookUp.apply(context, keyAndTypes);
    };
  };
  const lookup = readFirst(context.lookup as LookUp);
  const lookupMaybe = readFirst(context.lookupMaybe as LookUp);
  Object.assign(context, { lookup, lookupMaybe });
}

// What pdf-lib's overloads come down to.
type LookUp = (...keyAndTypes: unknown[]) => PDFObject | undefined;

function readEntry(
  file: File,
  ref: PDFRef,
  entry: XrefEntry,
  objectStreams: (stream: number) => ObjectStream,
): PDFObject | undefined {
  if (entry.in === "nowhere") return undefined;
  if (entry.in === "file") {
    const found = parseIndirectObject(file.bytes, entry.offset, file.context);
    if (found.number !== ref.objectNumber)
      throw new Error(`object ${ref.objectNumber} is not where it should be`);
    return found.object;
  }
  const { data, offsets } = objectStreams(entry.stream);
  const offset = offsets.get(ref.objectNumber);
  return offset === undefined ? undefined : parseObject(new Scanner(data, offset), file.context);
}

/** §7.5.7: plain bytes, and where each object begins in them. */
type ObjectStream = { data: Uint8Array; offsets: Map<number, number> };

function createObjectStreams({ bytes, context, xref }: File): (stream: number) => ObjectStream {
  const kept = new Map<number, ObjectStream>();
  let keptBytes = 0;
  return (number) => {
    const known = kept.get(number);
    if (known) return known;
    const entry = xref.entries.get(number);
    if (entry?.in !== "file") throw new Error(`object stream ${number} is missing`);
    const { object } = parseIndirectObject(bytes, entry.offset, context);
    if (!(object instanceof PDFRawStream)) throw new Error(`object ${number} is no object stream`);
    const read = readObjectStream(object);
    keptBytes += read.data.length;
    if (keptBytes > maxKeptBytes) throw new Error("the object streams are over the bound");
    kept.set(number, read);
    return read;
  };
}

function readObjectStream(stream: PDFRawStream): ObjectStream {
  const data = decodeStream(stream, maxObjectStreamBytes);
  if (data === undefined) throw new Error("an object stream cannot be decoded");
  const count = stream.dict.lookup(PDFName.of("N"), PDFNumber).asNumber();
  const first = stream.dict.lookup(PDFName.of("First"), PDFNumber).asNumber();
  const scanner = new Scanner(data, 0);
  const offsets = new Map<number, number>();
  for (let index = 0; index < count && scanner.offset < first; index += 1) {
    scanner.skipSpace();
    const number = Number.parseInt(scanner.takeWord(), 10);
    scanner.skipSpace();
    offsets.set(number, first + Number.parseInt(scanner.takeWord(), 10));
  }
  return { data, offsets };
}
