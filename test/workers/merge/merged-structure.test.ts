import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, PDFRef } from "pdf-lib";
import t from "tap";
import { readNumberTree } from "../../../workers/operations/copy-pages/name-tree.ts";
import { makePages } from "../../support/make-pdf.ts";
import { faultsOf, plainBytesOf } from "../../support/pdf-witness.ts";
import { runMerge } from "../../support/run-page-operation.ts";

t.test("merging tagged files", async (t) => {
  t.test("makes one structure tree in which every page is found", async (t) => {
    const tagged = await makePages(2, { tagged: true });
    const { file, path } = await runMerge(t, [tagged, tagged]);
    t.equal(faultsOf(path), "");
    const document = await PDFDocument.load(file);
    t.match(document.catalog.lookup(PDFName.of("MarkInfo"))?.toString(), /\/Marked true/);
    const root = document.catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
    const byKey = new Map(readNumberTree(root.lookup(PDFName.of("ParentTree"), PDFDict)));
    for (const page of document.getPages()) {
      const key = page.node.lookup(PDFName.of("StructParents"), PDFNumber).asNumber();
      const elements = document.context.lookup(byKey.get(key), PDFArray);
      t.equal(elements.lookup(0, PDFDict).get(PDFName.of("Pg")), page.ref);
      t.equal(topOf(elements.get(0) as PDFRef, document), document.catalog.get(PDFName.of("StructTreeRoot")));
    }
  });

  t.test("leaves tags out where one file has none: half a tree would mislead a screen reader", async (t) => {
    const tagged = await makePages(2, { tagged: true });
    for (const inputs of [
      [tagged, await makePages(1)],
      [await makePages(1), tagged],
    ]) {
      const { path } = await runMerge(t, inputs);
      t.notMatch(plainBytesOf(path), /StructElem|StructTreeRoot|MarkInfo/);
      t.equal(faultsOf(path), "");
    }
  });

  t.test("keeps the language", async (t) => {
    const { file } = await runMerge(t, [await makePages(1, { tagged: true }), await makePages(1)]);
    t.match((await PDFDocument.load(file)).catalog.get(PDFName.of("Lang"))?.toString(), "(en)");
  });
});

t.test("merging files with layers", async (t) => {
  t.test("keeps each file's layers, hidden ones hidden", async (t) => {
    const layered = await makePages(1, {
      edit(document) {
        const { context, catalog } = document;
        const [shown, hidden] = ["Shown", "Hidden"].map((name) =>
          context.register(context.obj({ Type: "OCG", Name: name })),
        );
        const config = { OFF: [hidden], Order: [shown, hidden] };
        catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: [shown, hidden], D: config } as never));
      },
    });
    const { file, path } = await runMerge(t, [layered, await makePages(1), layered]);
    const properties = (await PDFDocument.load(file)).catalog.lookup(PDFName.of("OCProperties"), PDFDict);
    const config = properties.lookup(PDFName.of("D"), PDFDict);
    t.equal(properties.lookup(PDFName.of("OCGs"), PDFArray).size(), 4);
    t.equal(config.lookup(PDFName.of("Order"), PDFArray).size(), 4);
    t.same(
      config
        .lookup(PDFName.of("OFF"), PDFArray)
        .asArray()
        .map((ref) => properties.context.lookup(ref, PDFDict).get(PDFName.of("Name"))?.toString()),
      ["/Hidden", "/Hidden"],
    );
    t.equal(faultsOf(path), "");
  });
});

/** The topmost parent of a structure element. */
function topOf(element: PDFRef, document: PDFDocument): PDFRef {
  let ref = element;
  for (let depth = 0; depth < 10; depth += 1) {
    const parent = document.context.lookup(ref, PDFDict).get(PDFName.of("P"));
    if (!(parent instanceof PDFRef)) break;
    ref = parent;
  }
  return ref;
}
