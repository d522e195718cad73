/** A file inside the document (ISO 32000-1 §7.11.4), beside those that are there. */
import { createHash } from "node:crypto";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "pdf-lib";
import { copyOfArray } from "./pdf-file/copy-array.ts";
import { copyOfDict } from "./pdf-file/copy-dict.ts";
import type { PdfInPlace } from "./pdf-file/open-in-place.ts";
import { type Changes, flateStream } from "./pdf-file/write-update.ts";
import { pdfDate } from "./signature-field.ts";

export type Attachment = {
  name: string;
  mediaType: string;
  description: string;
  bytes: Uint8Array;
  at: string;
};

/** The catalog's entries that name the file. A name that is taken gets a number. */
export function attachFile(
  pdf: PdfInPlace,
  changes: Changes,
  attachment: Attachment,
): Map<PDFName, PDFObject> {
  const { context, catalog } = pdf;
  const names = copyOfDict(catalog.lookup(PDFName.of("Names")), context);
  const entries = nameTreeEntries(names.lookup(PDFName.of("EmbeddedFiles")), context);
  const name = freeName(attachment.name, new Set(entries.map(([key]) => key.decodeText())));
  const specification = addSpecification(context, changes, { ...attachment, name });
  entries.push([PDFString.of(name), specification]);
  // §7.9.6: a reader may look names up by halving, so they stand in order of their bytes.
  entries.sort(([one], [other]) => Buffer.compare(Buffer.from(one.asBytes()), Buffer.from(other.asBytes())));
  names.set(PDFName.of("EmbeddedFiles"), context.obj({ Names: entries.flat() }));
  const associated = copyOfArray(catalog.lookup(PDFName.of("AF")), context);
  associated.push(specification);
  return new Map<PDFName, PDFObject>([
    [PDFName.of("Names"), names],
    [PDFName.of("AF"), associated],
  ]);
}

function addSpecification(context: PDFContext, changes: Changes, file: Attachment): PDFRef {
  const stream = context.nextRef();
  const checksum = createHash("md5").update(file.bytes).digest("hex");
  changes.set(
    stream,
    flateStream(context, file.bytes, {
      Type: PDFName.of("EmbeddedFile"),
      Subtype: PDFName.of(file.mediaType),
      Params: context.obj({
        Size: file.bytes.length,
        ModDate: PDFString.of(pdfDate(file.at)),
        CheckSum: PDFHexString.of(checksum),
      }),
    }),
  );
  const specification = context.nextRef();
  changes.set(
    specification,
    context.obj({
      Type: "Filespec",
      F: PDFString.of(file.name),
      UF: PDFHexString.fromText(file.name),
      Desc: PDFHexString.fromText(file.description),
      AFRelationship: "Supplement",
      EF: { F: stream, UF: stream },
    }),
  );
  return specification;
}

type Name = PDFString | PDFHexString;

const maxNodes = 10_000;

/** Every name of a name tree with its value. Broken nodes and loops are passed over. */
export function nameTreeEntries(root: unknown, context: PDFContext): [Name, PDFObject][] {
  const entries: [Name, PDFObject][] = [];
  const waiting: unknown[] = [root];
  const seen = new Set<unknown>();
  while (waiting.length > 0 && seen.size < maxNodes) {
    const node = waiting.shift();
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const names = node.lookup(PDFName.of("Names"));
    for (let index = 0; names instanceof PDFArray && index + 1 < names.size(); index += 2) {
      const name = names.lookup(index);
      if (name instanceof PDFString || name instanceof PDFHexString)
        entries.push([name, names.get(index + 1)]);
    }
    const kids = node.lookup(PDFName.of("Kids"));
    if (kids instanceof PDFArray) waiting.push(...kids.asArray().map((kid) => context.lookup(kid)));
  }
  return entries;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = name.replace(/(\.[^.]*)?$/, `-${number}$1`);
  return free;
}
