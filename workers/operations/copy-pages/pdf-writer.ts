/** Writes a PDF object by object as they become ready, so that the whole is never in memory. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import { crossReferenceStream, type ObjectPlace } from "./cross-reference-stream.ts";
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
  finish(root: PDFRef, info: PDFRef | undefined): void;
};

export type HeldLane = { put(ref: PDFRef, object: PDFObject): void; release(): void; discard(): void };

type Batch = { numbers: number[]; texts: string[]; length: number };

// More objects a stream pack better, but a reader unpacks the whole stream to see one of them.
const objectsPerStream = 200;
const charactersPerStream = 1 << 17;

// Binary in the second line tells transfer programs that this is no text (ISO 32000-1 §7.5.2).
const header = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1");

export function createPdfWriter(output: OutputFile): PdfWriter {
  const places: (ObjectPlace | undefined)[] = [];
  const identity = createHash("sha256");
  const open = newBatch();
  let nextNumber = 1;
  output.write(header);

  const reserve = () => PDFRef.of(nextNumber++);

  function writeStream(ref: PDFRef, dictText: string, contents: Uint8Array) {
    places[ref.objectNumber] = { kind: "offset", offset: output.size() };
    output.write(Buffer.from(`${ref.objectNumber} 0 obj\n${dictText}\nstream\n`, "latin1"));
    output.write(contents);
    output.write(Buffer.from("\nendstream\nendobj\n", "latin1"));
  }

  function writeBatch(batch: Batch) {
    const ref = reserve();
    writePacked(ref, batch, pack(batch));
  }

  function writePacked(ref: PDFRef, batch: Pick<Batch, "numbers">, packed: PackedObjects) {
    for (const [index, number] of batch.numbers.entries()) {
      places[number] = { kind: "packed", stream: ref.objectNumber, index };
    }
    writeStream(ref, packed.dictText, packed.contents);
  }

  function put(ref: PDFRef, object: PDFObject) {
    if (object instanceof PDFRawStream) {
      writeStream(ref, serialise(object.dict), object.contents);
      return;
    }
    append(open, ref.objectNumber, serialise(object));
    if (isFull(open)) {
      writeBatch(open);
      clear(open);
    }
  }

  function heldLane(): HeldLane {
    let packed: { numbers: number[]; objects: PackedObjects }[] = [];
    const batch = newBatch();
    const close = () => {
      if (batch.numbers.length > 0) packed.push({ numbers: batch.numbers, objects: pack(batch) });
      clear(batch);
    };
    return {
      put(ref, object) {
        if (object instanceof PDFRawStream) return put(ref, object);
        append(batch, ref.objectNumber, serialise(object));
        if (isFull(batch)) close();
      },
      release() {
        close();
        for (const { numbers, objects } of packed) writePacked(reserve(), { numbers }, objects);
        packed = [];
      },
      discard() {
        clear(batch);
        packed = [];
      },
    };
  }

  function finish(root: PDFRef, info: PDFRef | undefined) {
    if (open.numbers.length > 0) writeBatch(open);
    const ref = reserve();
    const offset = output.size();
    places[ref.objectNumber] = { kind: "offset", offset };
    const table = crossReferenceStream(places, nextNumber);
    // The same input gives the same file, its identifier included.
    const id = identity.update(table.contents).digest("hex").slice(0, 32);
    const infoEntry = info ? `/Info ${serialise(info)}` : "";
    writeStream(
      ref,
      `<<${table.entries}/Root ${serialise(root)}${infoEntry}/ID[<${id}> <${id}>]>>`,
      table.contents,
    );
    output.write(Buffer.from(`startxref\n${offset}\n%%EOF\n`, "latin1"));
  }

  return {
    reserve,
    put,
    add(object) {
      const ref = reserve();
      put(ref, object);
      return ref;
    },
    heldLane,
    finish,
  };
}

type PackedObjects = { dictText: string; contents: Uint8Array };

function newBatch(): Batch {
  return { numbers: [], texts: [], length: 0 };
}

function append(batch: Batch, number: number, text: string) {
  batch.numbers.push(number);
  batch.texts.push(text);
  batch.length += text.length + 1;
}

function clear(batch: Batch) {
  batch.numbers = [];
  batch.texts = [];
  batch.length = 0;
}

function isFull(batch: Batch): boolean {
  return batch.numbers.length >= objectsPerStream || batch.length >= charactersPerStream;
}

/** An object stream (ISO 32000-1 §7.5.7): number and offset of each object, then the objects. */
function pack(batch: Batch): PackedObjects {
  let offset = 0;
  let index = "";
  for (const [position, number] of batch.numbers.entries()) {
    index += `${number} ${offset} `;
    offset += (batch.texts[position] as string).length + 1;
  }
  const contents = deflateSync(Buffer.from(`${index}\n${batch.texts.join("\n")}`, "latin1"));
  const counts = `/N ${batch.numbers.length}/First ${index.length + 1}/Length ${contents.length}`;
  return { dictText: `<</Type/ObjStm${counts}/Filter/FlateDecode>>`, contents };
}
