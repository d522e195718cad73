/** Makes the inputs of the page benches. Run as a program, in a process of its own, so that making costs the bench no memory. */
import { randomFillSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import {
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  StandardFonts,
} from "pdf-lib";

/** Photographs: ten pages of one image each, of data that no one can compress. */
async function photos(path: string, megabytes: number): Promise<void> {
  const document = await PDFDocument.create();
  const { context } = document;
  for (let page = 0; page < 10; page += 1) {
    const data = randomFillSync(new Uint8Array((megabytes * 2 ** 20) / 10));
    const entries = { Type: "XObject", Subtype: "Image", Width: 2000, Height: 1500, ColorSpace: "DeviceRGB" };
    const dict = context.obj({ ...entries, BitsPerComponent: 8, Filter: "DCTDecode", Length: data.length });
    const added = document.addPage([595, 842]);
    added.node.setXObject(PDFName.of("Photo"), context.register(PDFRawStream.of(dict, data)));
    setContent(added, "q 595 0 0 446 0 200 cm /Photo Do Q");
  }
  writeFileSync(path, await document.save());
}

/** A book: text pages with a link each, and an outline entry every ten pages. */
async function book(path: string, pages: number): Promise<void> {
  const document = await PDFDocument.create();
  const { context } = document;
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const added = Array.from({ length: pages }, () => document.addPage([595, 842]));
  for (const [index, page] of added.entries()) {
    page.node.setFontDictionary(PDFName.of("F0"), font.ref);
    setContent(page, textOf(index));
    const target = added[(index * 7) % pages] as PDFPage;
    const link = { Type: "Annot", Subtype: "Link", Rect: [50, 50, 200, 70] };
    const dict = context.obj({ ...link, Dest: [target.ref, "XYZ", 0, 800, 0] });
    page.node.set(PDFName.Annots, context.obj([context.register(dict)]));
  }
  addOutline(document, added);
  writeFileSync(path, await document.save({ useObjectStreams: false }));
}

function addOutline(document: PDFDocument, pages: readonly PDFPage[]) {
  const { context } = document;
  const root = context.nextRef();
  const targets = pages.filter((_, index) => index % 10 === 0);
  const refs: PDFRef[] = targets.map(() => context.nextRef());
  for (const [index, page] of targets.entries()) {
    const entry = context.obj({ Parent: root, Dest: [page.ref, "Fit"] });
    entry.set(PDFName.of("Title"), PDFHexString.fromText(`Chapter ${index + 1}`));
    for (const [key, ref] of [["Prev", refs[index - 1]] as const, ["Next", refs[index + 1]] as const]) {
      if (ref) entry.set(PDFName.of(key), ref);
    }
    context.assign(refs[index] as PDFRef, entry);
  }
  const [first, last] = [refs[0] as PDFRef, refs.at(-1) as PDFRef];
  context.assign(root, context.obj({ Type: "Outlines", First: first, Last: last, Count: refs.length }));
  document.catalog.set(PDFName.of("Outlines"), root);
}

function textOf(page: number): string {
  const lines = Array.from({ length: 50 }, (_, line) => {
    const words = Array.from({ length: 12 }, (_, word) => ((page * 31 + line * 17 + word) ** 2).toString(36));
    return `(${words.join(" ")}) Tj T*`;
  });
  return `BT /F0 10 Tf 14 TL 50 780 Td ${lines.join("\n")} ET`;
}

function setContent(page: PDFPage, content: string) {
  const data = deflateSync(content);
  const { context } = page.doc;
  const dict = context.obj({ Filter: "FlateDecode", Length: data.length });
  page.node.set(PDFName.Contents, context.register(PDFRawStream.of(dict, data)));
}

const [kind, path, amount] = process.argv.slice(2);
if (kind === "photos" && path) await photos(path, Number(amount));
if (kind === "book" && path) await book(path, Number(amount));
