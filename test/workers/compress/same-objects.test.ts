import { PDFDocument, PDFName, type PDFObject } from "pdf-lib";
import t from "tap";
import { sameObjects } from "../../../workers/operations/compress/same-objects.ts";
import { makePdf } from "../../support/make-pdf.ts";

t.test("what a written file is compared with", async (t) => {
  const bytes = await makePdf({ pages: [{ text: "One" }, { text: "Two" }], title: "Title", tagged: true });
  const open = () => PDFDocument.load(bytes, { updateMetadata: false });

  t.test("is the same as itself, whatever its objects are numbered", async (t) => {
    const copy = await PDFDocument.load(await (await open()).save({ useObjectStreams: false }));
    t.ok(sameObjects((await open()).context, copy.context));
  });

  const changes: [string, (document: PDFDocument) => void][] = [
    ["another number", ({ context, catalog }) => catalog.set(PDFName.of("Extra"), context.obj(1))],
    ["another string", (document) => document.catalog.set(PDFName.of("Lang"), document.context.obj("xx"))],
    ["a page less", (document) => document.removePage(1)],
    [
      "the same page twice",
      (document) => document.getPage(0).node.Parent()?.Kids()?.set(1, document.getPage(0).ref),
    ],
    ["an entry less", (document) => document.getPage(0).node.delete(PDFName.of("Contents"))],
    ["other contents", (document) => changeContents(document)],
  ];
  for (const [what, change] of changes) {
    t.test(`differs by ${what}`, async (t) => {
      const changed = await open();
      change(changed);
      t.notOk(sameObjects((await open()).context, changed.context));
      t.notOk(sameObjects(changed.context, (await open()).context));
    });
  }
});

function changeContents(document: PDFDocument): void {
  const first: PDFObject | undefined = document.getPage(0).node.Contents();
  const stream = document.context.stream("q Q");
  document.getPage(0).node.set(PDFName.of("Contents"), first ? document.context.register(stream) : stream);
}
