/** Writes a document as small as its objects allow: only what is reachable, numbered anew, packed into object streams. */
import { type PDFContext, type PDFRawStream, PDFRef, PDFStream } from "pdf-lib";
import { crossReferenceStream, crossReferenceTable, type Place } from "./cross-references.ts";
import { deflateBest } from "./deflate.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { type NumberOf, serializeObject } from "./serialize-object.ts";

export type WriteOptions = {
  /** False for files that may not have object streams: PDF/A-1 (ISO 19005-1 §6.1.4). */
  packObjects: boolean;
};

// Larger packs deflate better and load slower: readers unpack a whole one for any object in it.
const maxPackObjects = 250;
const maxPackCharacters = 256 * 1024;

/** The bytes of the document. */
export async function writePdf(context: PDFContext, { packObjects }: WriteOptions): Promise<Uint8Array> {
  const objects = [...reachableObjects(context)];
  const numbers = new Map(objects.map(([ref], index) => [ref, index + 1]));
  const numberOf: NumberOf = (ref) => numbers.get(ref);
  const file = startFile(headerOf(context, packObjects));
  const places = new Map<number, Place>();
  const loose: LooseObject[] = [];
  for (const [ref, object] of objects) {
    const number = numbers.get(ref) as number;
    const text = serializeObject(object, numberOf);
    if (object instanceof PDFStream) places.set(number, file.addStream(number, text, contentsOf(object)));
    else if (packObjects) loose.push({ number, text });
    else places.set(number, file.add(`${number} 0 obj\n${text}\nendobj\n`));
  }
  let next = objects.length + 1;
  for (const pack of await Promise.all(packsOf(loose).map(deflatePack))) {
    for (const [index, number] of pack.numbers.entries()) places.set(number, { pack: next, index });
    places.set(next, file.addStream(next, pack.dict, pack.data));
    next += 1;
  }
  const trailer = trailerText(context, numberOf);
  if (!packObjects) return file.end(crossReferenceTable(places, next, trailer));
  return file.end(await crossReferenceStream(places, next, file.length(), trailer));
}

type LooseObject = { number: number; text: string };

function startFile(header: string) {
  const parts: Uint8Array[] = [];
  let length = 0;
  const append = (part: Uint8Array): void => {
    parts.push(part);
    length += part.length;
  };
  const add = (text: string): Place => {
    const offset = length;
    append(Buffer.from(text, "latin1"));
    return { offset };
  };
  add(header);
  return {
    add,
    length: () => length,
    addStream(number: number, dict: string, data: Uint8Array): Place {
      const place = add(`${number} 0 obj\n${dict.slice(0, -2)}/Length ${data.length}>>stream\n`);
      append(data);
      add("\nendstream\nendobj\n");
      return place;
    },
    end(section: Uint8Array): Uint8Array {
      const startxref = length;
      append(section);
      add(`startxref\n${startxref}\n%%EOF\n`);
      return Buffer.concat(parts, length);
    },
  };
}

function headerOf(context: PDFContext, packObjects: boolean): string {
  const stated = /%PDF-(\d+\.\d+)/.exec(context.header.toString())?.[1] ?? "1.4";
  const version = packObjects && Number(stated) < 1.5 ? "1.5" : stated;
  // Four bytes over 127 tell file transfer programs that this is no text (§7.5.2).
  return `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`;
}

function contentsOf(stream: PDFStream): Uint8Array {
  return (stream as PDFRawStream).contents ?? stream.getContents();
}

function packsOf(loose: readonly LooseObject[]): LooseObject[][] {
  const packs: LooseObject[][] = [];
  let characters = 0;
  for (const object of loose) {
    const last = packs.at(-1);
    if (last === undefined || last.length === maxPackObjects || characters > maxPackCharacters) {
      packs.push([object]);
      characters = 0;
    } else last.push(object);
    characters += object.text.length;
  }
  return packs;
}

async function deflatePack(pack: readonly LooseObject[]) {
  const offsets: number[] = [];
  let body = "";
  for (const { number, text } of pack) {
    offsets.push(number, body.length);
    body += `${text}\n`;
  }
  const index = `${offsets.join(" ")}\n`;
  const data = await deflateBest(Buffer.from(index + body, "latin1"));
  const dict = `<</Type/ObjStm/N ${pack.length}/First ${index.length}/Filter/FlateDecode>>`;
  return { numbers: pack.map(({ number }) => number), dict, data };
}

function trailerText(context: PDFContext, numberOf: NumberOf): string {
  const { Root, Info, ID } = context.trailerInfo;
  const entries: string[] = [];
  if (Root) entries.push(`/Root ${serializeObject(Root, numberOf)}`);
  if (Info instanceof PDFRef && numberOf(Info)) entries.push(`/Info ${serializeObject(Info, numberOf)}`);
  const id = context.lookup(ID);
  if (id) entries.push(`/ID${serializeObject(id, numberOf)}`);
  return entries.join("");
}
