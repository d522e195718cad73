import { PDFDocument, PDFName } from "pdf-lib";
import t from "tap";
import { linkTargets } from "../../support/link-targets.ts";
import { makePages, makePdf } from "../../support/make-pdf.ts";
import { attachmentsOf, faultsOf, outlineOf, textOf } from "../../support/pdf-witness.ts";
import { runMerge } from "../../support/run-page-operation.ts";

t.test("merging files", async (t) => {
  t.test("puts all pages in the order of the files, and counts them", async (t) => {
    const { data, path, file } = await runMerge(t, [
      await makePages(3),
      await makePages(2),
      await makePages(1),
    ]);
    t.same(data, {
      pdf_base64: { $file: 0 },
      files_count: 3,
      total_pages: 6,
      size: file.length,
      method: "structure-merge",
    });
    t.equal(textOf(path), "Page 1 Page 2 Page 3 Page 1 Page 2 Page 1");
    t.equal(faultsOf(path), "");
  });

  t.test("takes a single file", async (t) => {
    const { path } = await runMerge(t, [await makePages(2)]);
    t.equal(textOf(path), "Page 1 Page 2");
  });

  t.test("gives the same bytes for the same files", async (t) => {
    const inputs = [await makePages(3), await makePages(2)];
    const [one, other] = [await runMerge(t, inputs), await runMerge(t, inputs)];
    t.same(one.file, other.file);
  });

  t.test("gives each file an entry in the outline, its own outline beneath", async (t) => {
    const handbook = await makePages(3, {
      title: "Handbook",
      outline: [{ title: "Start", page: 1, children: [{ title: "Detail", page: 3 }] }],
    });
    const { path } = await runMerge(t, [
      handbook,
      await makePages(2, { outline: [{ title: "End", page: 2 }] }),
    ]);
    t.same(outlineOf(path), [
      {
        title: "Handbook",
        page: 1,
        children: [{ title: "Start", page: 1, children: [{ title: "Detail", page: 3, children: [] }] }],
      },
      { title: "Document 2", page: 4, children: [{ title: "End", page: 5, children: [] }] },
    ]);
  });

  t.test("keeps links alive, to pages, to names and to the web", async (t) => {
    const linked = await makePdf({
      pages: [
        { text: "A", links: [{ toPage: 2 }, { toName: "end" }, { toUri: "https://example.com/" }] },
        { text: "B", links: [{ toPage: 1 }] },
      ],
      namedDestinations: { end: 2 },
    });
    const { file, path } = await runMerge(t, [linked, linked, linked]);
    const expected = [0, 2, 4].flatMap((before) => [
      [before + 2, before + 2, "https://example.com/"],
      [before + 1],
    ]);
    t.same(await linkTargets(file), expected, "a name that each file has leads into its own file");
    t.equal(faultsOf(path), "");
  });

  t.test("does not let a link to nowhere come to life in another file", async (t) => {
    const dead = await makePdf({ pages: [{ text: "A", links: [{ toName: "end" }] }] });
    const alive = await makePdf({ pages: [{ text: "B" }], namedDestinations: { end: 1 } });
    t.same(await linkTargets((await runMerge(t, [alive, dead])).file), [[], ["nowhere"]]);
    t.same(await linkTargets((await runMerge(t, [dead, alive])).file), [["nowhere"], []]);
  });

  t.test("keeps the attachments of all files, also of one name", async (t) => {
    const [one, other] = [Buffer.from("one"), Buffer.from("other")];
    const inputs = [
      await makePages(1, { attachments: [{ name: "notes.txt", data: one }] }),
      await makePages(1, { attachments: [{ name: "notes.txt", data: other }] }),
    ];
    t.same(attachmentsOf((await runMerge(t, inputs)).path), ["notes.txt", "notes.txt_2"]);
  });

  t.test("keeps page labels, and numbers the files without as a reader does", async (t) => {
    const inputs = [await makePages(2, { pageLabelPrefix: "A-" }), await makePages(2)];
    const { file } = await runMerge(t, inputs);
    const document = await PDFDocument.load(file);
    const nums = document.catalog.lookup(PDFName.of("PageLabels"))?.toString().replaceAll(/\s+/g, "");
    t.equal(nums, "<</Nums[0<</S/D/P(A-)>>2<</S/D>>]>>");
  });

  t.test("writes fonts and images that several files have only once", async (t) => {
    const noise = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251));
    const withNoise = async (text: string) =>
      makePdf({
        pages: [{ text }],
        edit(document) {
          const stream = document.context.stream(noise, { Type: "XObject", Subtype: "Image", Width: 1 });
          document.getPage(0).node.setXObject(PDFName.of("Noise"), document.context.register(stream));
        },
      });
    const { file } = await runMerge(t, await Promise.all(["one", "two", "three"].map(withNoise)));
    t.ok(file.length < 210_000, `three files of 200 kB make ${file.length} bytes`);
  });
});
