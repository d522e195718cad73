import { type PDFArray, PDFDocument, PDFName, PDFNumber } from "pdf-lib";
import t from "tap";
import { linkTargets } from "../../support/link-targets.ts";
import { makePdf, type PagePlan } from "../../support/make-pdf.ts";
import { faultsOf, outlineOf, pageSizesOf, textOf } from "../../support/pdf-witness.ts";
import { runMerge } from "../../support/run-page-operation.ts";

const a4 = "595.276 x 841.89";
const a4Landscape = "841.89 x 595.276";

t.test("merging to one page size", async (t) => {
  const pages: [string, PagePlan, string][] = [
    ["a large page", { size: [1200, 1600] }, a4],
    ["a small page", { size: [100, 150] }, a4],
    ["a wide page", { size: [800, 600] }, a4Landscape],
    ["a page turned to lie", { size: [600, 800], rotate: 90 }, a4Landscape],
    ["a page turned to stand", { size: [800, 600], rotate: 270 }, a4],
    ["a page cropped to lie", { size: [600, 800], cropBox: [100, 500, 400, 200] }, a4Landscape],
    ["a page in large units", { size: [60, 80], userUnit: 10 }, a4],
  ];
  const { path } = await runMerge(t, [await makePdf({ pages: pages.map(([, plan]) => plan) })], "A4");
  t.equal(faultsOf(path), "");
  for (const [index, size] of pageSizesOf(path).entries()) {
    t.equal(
      rounded(size),
      rounded(pages[index]?.[2] ?? ""),
      `${pages[index]?.[0]} becomes ${pages[index]?.[2]}`,
    );
  }

  for (const [size, expected] of [
    ["A3", "841.89 x 1190.55"],
    ["Letter", "612 x 792"],
  ] as const) {
    const merged = await runMerge(t, [await makePdf()], size);
    t.same(pageSizesOf(merged.path), [expected], `${size} is ${expected}`);
  }

  t.test("leaves all as it is where the original size is asked for", async (t) => {
    const { path } = await runMerge(t, [await makePdf({ pages: [{ size: [300, 500], rotate: 90 }] })]);
    t.same(pageSizesOf(path), ["500 x 300"]);
  });

  t.test("moves content, annotations and destinations together", async (t) => {
    // A page of half the size of A4: all lengths double, from the lower left corner.
    const half = await makePdf({
      pages: [{ size: [297.638, 420.945], text: "Twice as large", links: [{ toPage: 1 }] }],
      outline: [{ title: "Here", page: 1 }],
      edit(document) {
        const target = document.context.obj([document.getPage(0).ref, "XYZ", 10, 20, 0]);
        const annotations = document.getPage(0).node.Annots();
        const link = document.context.lookup(annotations?.get(0));
        (link as unknown as Map<PDFName, unknown>).set(PDFName.of("Dest"), target);
      },
    });
    const { path, file } = await runMerge(t, [half], "A4");
    const page = (await PDFDocument.load(file)).getPage(0);
    const link = page.node.Annots()?.lookup(0) as unknown as { lookup(key: PDFName): PDFArray };
    t.same(numbers(link.lookup(PDFName.of("Rect"))), [100, 1200, 300, 1230]);
    t.same(numbers(link.lookup(PDFName.of("Dest"))), [20, 40, 0], "the zoom is the reader's and stays");
    t.same(await linkTargets(file), [[1]]);
    t.equal(outlineOf(path)[0]?.children[0]?.page, 1);
    t.equal(textOf(path), "Twice as large");
  });
});

function numbers(array: PDFArray): number[] {
  const values = array.asArray().filter((value) => value instanceof PDFNumber);
  return values.map((value) => Math.round(value.asNumber()));
}

function rounded(size: string): string {
  return size
    .split(" x ")
    .map((side) => Number(side).toFixed(1))
    .join(" x ");
}
