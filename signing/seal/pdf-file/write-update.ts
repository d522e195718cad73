/**
 * A new revision at the end of a PDF (ISO 32000-1 §7.5.6): what is there stays byte for byte, which is what lets a
 * sealed document prove what was signed.
 */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from "pdf-lib";
import type { PdfInPlace } from "./open-in-place.ts";

/** What a revision says anew, by reference: new objects and whole new versions of old ones. */
export type Changes = Map<PDFRef, PDFObject>;

type Placed = { number: number; generation: number; offset: number };

export type Update = {
  bytes: Buffer;
  /** Where in `bytes` each changed object begins. */
  offsets: ReadonlyMap<PDFRef, number>;
};

/** The bytes that follow the file's own. Same file and same changes give the same bytes. */
export function writeUpdate(pdf: PdfInPlace, changes: Changes): Update {
  const pieces: Uint8Array[] = [];
  const placed: Placed[] = [];
  const offsets = new Map<PDFRef, number>();
  let offset = pdf.bytes.length;
  const write = (piece: Uint8Array) => {
    pieces.push(piece);
    offset += piece.length;
  };
  write(ascii("\n"));
  for (const [ref, object] of changes) {
    offsets.set(ref, offset - pdf.bytes.length);
    placed.push({ number: ref.objectNumber, generation: ref.generationNumber, offset });
    write(indirectObject(ref, object));
  }
  const fileId = fileIdOf(pdf, pieces);
  const section = pdf.xref.form === "table" ? writeTable : writeXrefStream;
  const start = offset;
  write(section(pdf, placed, fileId, start));
  write(ascii(`startxref\n${start}\n%%EOF\n`));
  return { bytes: Buffer.concat(pieces), offsets };
}

function indirectObject(ref: PDFRef, object: PDFObject): Uint8Array {
  const body = new Uint8Array(object.sizeInBytes());
  object.copyBytesInto(body, 0);
  const head = ascii(`${ref.objectNumber} ${ref.generationNumber} obj\n`);
  return Buffer.concat([head, body, ascii("\nendobj\n")]);
}

// §14.4: the first half stays with the document, the second changes with its content.
function fileIdOf({ xref, context }: PdfInPlace, pieces: readonly Uint8Array[]): PDFArray {
  const content = createHash("sha256");
  for (const piece of pieces) content.update(piece);
  const own = PDFHexString.of(content.digest("hex").slice(0, 32));
  const before = xref.trailer.lookup(PDFName.of("ID"));
  const permanent = before instanceof PDFArray ? before.lookup(0) : undefined;
  const id = PDFArray.withContext(context);
  id.push(permanent ?? own);
  id.push(own);
  return id;
}

function trailerEntries({ context, xref }: PdfInPlace, fileId: PDFArray, size: number): PDFDict {
  const trailer = PDFDict.withContext(context);
  trailer.set(PDFName.of("Size"), PDFNumber.of(size));
  for (const key of ["Root", "Info"]) {
    const kept = xref.trailer.get(PDFName.of(key));
    if (kept) trailer.set(PDFName.of(key), kept);
  }
  trailer.set(PDFName.of("ID"), fileId);
  trailer.set(PDFName.of("Prev"), PDFNumber.of(xref.start));
  return trailer;
}

function writeTable(pdf: PdfInPlace, placed: readonly Placed[], fileId: PDFArray): Uint8Array {
  const runs = consecutive(placed).map((run) => {
    // §7.5.4: twenty bytes an entry, line end included.
    const rows = run.map((row) => `${digits(row.offset, 10)} ${digits(row.generation, 5)} n\r\n`);
    return `${run[0]?.number} ${run.length}\n${rows.join("")}`;
  });
  const trailer = trailerEntries(pdf, fileId, pdf.context.largestObjectNumber + 1);
  return ascii(`xref\n${runs.join("")}trailer\n${trailer}\n`);
}

// Four bytes of offset reach 4 GB; files end at 100 MB.
const rowWidths = [1, 4, 2];

function writeXrefStream(
  pdf: PdfInPlace,
  placed: readonly Placed[],
  fileId: PDFArray,
  start: number,
): Uint8Array {
  const ref = pdf.context.nextRef();
  const runs = consecutive([...placed, { number: ref.objectNumber, generation: 0, offset: start }]);
  const rows = runs.flat().map(({ offset, generation }) => {
    const row = Buffer.alloc(7);
    row.writeUInt8(1, 0);
    row.writeUInt32BE(offset, 1);
    row.writeUInt16BE(generation, 5);
    return row;
  });
  const data = deflateSync(Buffer.concat(rows));
  const dict = trailerEntries(pdf, fileId, ref.objectNumber + 1);
  dict.set(PDFName.of("Type"), PDFName.of("XRef"));
  dict.set(PDFName.of("W"), pdf.context.obj(rowWidths));
  dict.set(PDFName.of("Index"), pdf.context.obj(runs.flatMap((run) => [run[0]?.number ?? 0, run.length])));
  dict.set(PDFName.of("Filter"), PDFName.of("FlateDecode"));
  return indirectObject(ref, PDFRawStream.of(dict, data));
}

/** Ascending by object number, cut where numbers are left out. */
function consecutive(placed: readonly Placed[]): Placed[][] {
  const runs: Placed[][] = [];
  for (const row of placed.toSorted((one, other) => one.number - other.number)) {
    const run = runs.at(-1);
    if (run?.at(-1)?.number === row.number - 1) run.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** A compressed stream object for `Changes`. */
export function flateStream(
  context: PDFContext,
  data: Uint8Array | string,
  entries: Record<string, PDFObject> = {},
): PDFRawStream {
  const dict = context.obj({ ...entries, Filter: "FlateDecode" });
  return PDFRawStream.of(dict, deflateSync(data));
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}

function ascii(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}
