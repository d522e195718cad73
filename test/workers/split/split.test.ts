import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, type PDFRef, PDFString } from "pdf-lib";
import t from "tap";
import { readNumberTree } from "../../../workers/operations/copy-pages/name-tree.ts";
import { plainText, textAt } from "../../../workers/operations/copy-pages/read-object.ts";
import { linkTargets } from "../../support/link-targets.ts";
import { makePages, makePdf } from "../../support/make-pdf.ts";
import { faultsOf, fieldsOf, outlineOf, plainBytesOf, textOf } from "../../support/pdf-witness.ts";
import { runSplit } from "../../support/run-page-operation.ts";

t.test("splitting a file", async (t) => {
  t.test("gives each page a file of its own", async (t) => {
    const { data, files, paths } = await runSplit(t, await makePages(3));
    t.same(data, {
      original_pages: 3,
      files_count: 3,
      files: [1, 2, 3].map((page) => ({
        pdf_base64: { $file: page - 1 },
        pages: [page],
        page_count: 1,
        size: files[page - 1]?.length,
        name: `part_${page}`,
      })),
    });
    t.same(
      paths.map((path) => textOf(path)),
      ["Page 1", "Page 2", "Page 3"],
    );
    t.same(paths.map(faultsOf), ["", "", ""]);
  });

  t.test("keeps the caller's order of pages, and a page as often as it is named", async (t) => {
    const { paths } = await runSplit(t, await makePages(3), { mode: "range", pages: [[3, 1, 3], [2]] });
    t.same(
      paths.map((path) => textOf(path)),
      ["Page 3 Page 1 Page 3", "Page 2"],
    );
    t.same(paths.map(faultsOf), ["", ""]);
  });

  t.test("keeps links within the part, and takes out those that would lead nowhere", async (t) => {
    const linked = await makePdf({
      pages: [
        { text: "A", links: [{ toPage: 2 }, { toPage: 3 }, { toName: "middle" }, { toName: "end" }] },
        { text: "B", links: [{ toPage: 1 }, { toUri: "https://example.com/" }] },
        { text: "C", links: [{ toPage: 3 }] },
      ],
      namedDestinations: { middle: 2, end: 3 },
    });
    const { files, paths } = await runSplit(t, linked, { mode: "range", pages: [[1, 2], [3]] });
    t.same(await Promise.all(files.map(linkTargets)), [
      [
        [2, 2],
        [1, "https://example.com/"],
      ],
      [[1]],
    ]);
    t.same(paths.map(faultsOf), ["", ""]);
  });

  t.test(
    "keeps the outline entries of the part's pages, and lifts them where their chapter is elsewhere",
    async (t) => {
      const book = await makePages(4, {
        outline: [
          { title: "One", page: 1, children: [{ title: "One and a half", page: 2 }] },
          { title: "Two", page: 3, children: [{ title: "Two and a half", page: 4 }] },
        ],
      });
      const { paths } = await runSplit(t, book, { mode: "range", pages: [[2, 3, 4], [1]] });
      t.same(paths.map(outlineOf), [
        [
          { title: "One and a half", page: 1, children: [] },
          { title: "Two", page: 2, children: [{ title: "Two and a half", page: 3, children: [] }] },
        ],
        [{ title: "One", page: 1, children: [] }],
      ]);
    },
  );

  t.test("keeps each page's label", async (t) => {
    const labelled = await makePages(4, { pageLabelPrefix: "A-" });
    const { files } = await runSplit(t, labelled, { mode: "range", pages: [[2, 3, 1]] });
    const document = await PDFDocument.load(files[0] as Uint8Array);
    const labels = document.catalog.lookup(PDFName.of("PageLabels"))?.toString().replaceAll(/\s+/g, "");
    t.equal(labels, "<</Nums[0<</S/D/P(A-)/St2>>2<</S/D/P(A-)>>]>>");
  });

  t.test("keeps the fields of the part's pages, and no others", async (t) => {
    const form = await makePages(2, {
      fields: [
        { kind: "text", name: "person.name", page: 1, value: "Ada" },
        { kind: "text", name: "person.city", page: 2, value: "London" },
        { kind: "checkbox", name: "agreed", page: 2, value: "yes" },
      ],
    });
    const { paths } = await runSplit(t, form);
    t.same(
      paths.map((path) => fieldsOf(path).map(({ name, value }) => `${name}=${value}`)),
      [["person.name=Ada"], ["person.city=London", "agreed=/Yes"]],
    );
    t.notMatch(plainBytesOf(paths[0] as string), /London|agreed/);
  });

  t.test("gives a page that comes twice fields of its own each time", async (t) => {
    const form = await makePages(1, { fields: [{ kind: "text", name: "name", value: "Ada" }] });
    const { paths } = await runSplit(t, form, { mode: "range", pages: [[1, 1]] });
    t.same(
      fieldsOf(paths[0] as string).map(({ name, page }) => `${name} on ${page}`),
      ["name on 1", "name_2 on 2"],
    );
    t.equal(faultsOf(paths[0] as string), "");
  });
});

t.test("splitting a tagged file", async (t) => {
  t.test("keeps the tags of the part's pages, and no description that speaks of others", async (t) => {
    const tagged = await makePages(3, { tagged: true, edit: describeAll });
    const { files, paths } = await runSplit(t, tagged, { mode: "range", pages: [[3, 1], [2]] });
    t.same(paths.map(faultsOf), ["", ""]);
    for (const [index, expected] of [["About 3", "About 1"], ["About 2"]].entries()) {
      const document = await PDFDocument.load(files[index] as Uint8Array);
      const root = document.catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
      const byKey = new Map(readNumberTree(root.lookup(PDFName.of("ParentTree"), PDFDict)));
      const found = document.getPages().map((page) => {
        const key = page.node.lookup(PDFName.of("StructParents"), PDFNumber).asNumber();
        const element = document.context.lookup(byKey.get(key), PDFArray).lookup(0, PDFDict);
        t.equal(element.get(PDFName.of("Pg")), page.ref);
        return plainText(textAt(element, "Alt"));
      });
      t.same(found, expected);
      const told = plainBytesOf(paths[index] as string).match(/About \w+/g);
      t.same(new Set(told), new Set(expected), "the whole's description is left out");
    }
  });
});

t.test("a part tells nothing of the other pages", async (t) => {
  const secret = (page: number) => `Secret${page}`;
  const source = await makePdf({
    pages: [1, 2, 3].map((page) => ({ text: secret(page), links: [{ toPage: 2 }, { toName: secret(3) }] })),
    outline: [1, 2, 3].map((page) => ({ title: `${secret(page)} title`, page })),
    namedDestinations: { [secret(1)]: 1, [secret(2)]: 2, [secret(3)]: 3 },
    fields: [1, 2, 3].map((page) => ({
      kind: "text",
      name: `${secret(page)} field`,
      page,
      value: secret(page),
    })),
    attachments: [{ name: "Secret2.txt", data: Buffer.from("Secret2 attached") }],
    tagged: true,
    edit: sharedResources,
  });

  t.test("though all share one dictionary of resources", async (t) => {
    const { paths } = await runSplit(t, source);
    for (const [index, path] of paths.entries()) {
      const own = index + 1;
      const bytes = readable(plainBytesOf(path));
      for (const page of [1, 2, 3]) {
        const told = new RegExp(`${secret(page)}|Picture${page}`);
        if (page === own) t.match(bytes, told, `part ${own} has its own`);
        else t.notMatch(bytes, told, `part ${own} says nothing of page ${page}`);
      }
    }
  });

  t.test("and one-page parts together stay near the whole", async (t) => {
    const pages = await makePages(40);
    const { files } = await runSplit(t, pages);
    const total = files.reduce((sum, file) => sum + file.length, 0);
    t.ok(total < 40 * 1200, `40 parts take ${total} bytes`);
  });
});

/** One picture a page, and every page's resources list them all. */
function sharedResources(document: PDFDocument): void {
  const { context } = document;
  const pictures = [1, 2, 3].map((page) => {
    const data = `Picture${page} is not to be seen elsewhere`;
    return context.register(
      context.flateStream(data, { Type: "XObject", Subtype: "Form", BBox: [0, 0, 9, 9] }),
    );
  });
  const [one, two, three] = pictures;
  for (const [index, page] of document.getPages().entries()) {
    const fonts = page.node.Resources()?.lookup(PDFName.Font);
    page.node.addContentStream(context.register(context.flateStream(`q /P${index + 1} Do Q`)));
    const resources = context.obj({ XObject: { P1: one, P2: two, P3: three }, Font: fonts } as never);
    page.node.set(PDFName.Resources, resources);
  }
}

/** Hexadecimal strings as the text they mean. */
function readable(pdf: string): string {
  return pdf
    .replaceAll(/<((?:[\da-fA-F]{2})+)>/g, (_, hex) => Buffer.from(hex, "hex").toString("latin1"))
    .replaceAll("\0", "");
}

/** Every paragraph says which page it is about, and an element above them all says so of the whole. */
function describeAll(document: PDFDocument): void {
  const { context } = document;
  const rootRef = document.catalog.get(PDFName.of("StructTreeRoot")) as PDFRef;
  const root = context.lookup(rootRef, PDFDict);
  const paragraphs = root.lookup(PDFName.of("K"), PDFArray);
  const whole = context.obj({ Type: "StructElem", S: "Sect", P: rootRef, K: paragraphs });
  whole.set(PDFName.of("Alt"), PDFString.of("About all"));
  const wholeRef = context.register(whole);
  for (const [index, value] of paragraphs.asArray().entries()) {
    const paragraph = context.lookup(value, PDFDict);
    paragraph.set(PDFName.of("P"), wholeRef);
    paragraph.set(PDFName.of("Alt"), PDFString.of(`About ${index + 1}`));
  }
  root.set(PDFName.of("K"), context.obj([wholeRef]));
}
