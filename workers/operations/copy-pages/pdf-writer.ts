/** Writes a PDF object by object as they become ready, so that the whole is never in memory. */
import { createHash } from "node:crypto";
import { type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import { crossReferenceStream, type ObjectPlace } from "./cross-reference-stream.ts";
import { createObjectCollector, type PackedObjects } from "./object-stream.ts";
import type { OutputFile } from "./output-file.ts";
import { serialise } from "./serialise.ts";

export type PdfWriter = {
  /** A number for an object that is written later, or never: then a reference to it reads as null. */
  reserve(): PDFRef;
  put(ref: PDFRef, object: PDFObject): void;
  add(object: PDFObject): PDFRef;
  /** A second pen whose objects reach the file only when released; a discarded lane leaves nothing. */
  heldLane(): HeldLane;
  /** Writes what is left: the objects still collected, the cross-reference stream and the end. */
  finish(root: PDFRef, info: PDFRef): void;
};

export type HeldLane = { put(ref: PDFRef, object: PDFObject): void; release(): void; discard(): void };

// Binary in the second line tells transfer programs that this is no text (ISO 32000-1 §7.5.2).
const header = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1");

export function createPdfWriter(output: OutputFile): PdfWriter {
  const places: (ObjectPlace | undefined)[] = [];
  const collector = createObjectCollector(writePacked);
  let nextNumber = 1;
  output.write(header);

  function reserve(): PDFRef {
    return PDFRef.of(nextNumber++);
  }

  function put(ref: PDFRef, object: PDFObject) {
    if (object instanceof PDFRawStream) writeStream(ref, serialise(object.dict), object.contents);
    else collector.add(ref.objectNumber, serialise(object));
  }

  function add(object: PDFObject): PDFRef {
    const ref = reserve();
    put(ref, object);
    return ref;
  }

  function writeStream(ref: PDFRef, dictText: string, contents: Uint8Array) {
    places[ref.objectNumber] = { kind: "offset", offset: output.size() };
    output.write(Buffer.from(`${ref.objectNumber} 0 obj\n${dictText}\nstream\n`, "latin1"));
    output.write(contents);
    output.write(endOfStream);
  }

  function writePacked({ numbers, dictText, contents }: PackedObjects) {
    const ref = reserve();
    for (const [index, number] of numbers.entries()) {
      places[number] = { kind: "packed", stream: ref.objectNumber, index };
    }
    writeStream(ref, dictText, contents);
  }

  function finish(root: PDFRef, info: PDFRef) {
    collector.flush();
    const ref = reserve();
    const offset = output.size();
    places[ref.objectNumber] = { kind: "offset", offset };
    const table = crossReferenceStream(places, nextNumber);
    // The same input gives the same file, its identifier included.
    const id = createHash("sha256").update(table.contents).digest("hex").slice(0, 32);
    const trailer = `/Root ${serialise(root)}/Info ${serialise(info)}/ID[<${id}> <${id}>]`;
    writeStream(ref, `<<${table.entries}${trailer}>>`, table.contents);
    output.write(Buffer.from(`startxref\n${offset}\n%%EOF\n`, "latin1"));
  }

  return { reserve, put, add, heldLane: () => createHeldLane(put, writePacked), finish };
}

const endOfStream = Buffer.from("\nendstream\nendobj\n", "latin1");

/** Holds objects packed, as they will stand in the file. Streams are the bulk and go straight there. */
function createHeldLane(
  putStream: (ref: PDFRef, object: PDFObject) => void,
  writePacked: (packed: PackedObjects) => void,
): HeldLane {
  let held: PackedObjects[] = [];
  const collector = createObjectCollector((packed) => held.push(packed));
  return {
    put(ref, object) {
      if (object instanceof PDFRawStream) putStream(ref, object);
      else collector.add(ref.objectNumber, serialise(object));
    },
    release() {
      collector.flush();
      for (const packed of held) writePacked(packed);
      held = [];
    },
    discard() {
      collector.flush();
      held = [];
    },
  };
}
