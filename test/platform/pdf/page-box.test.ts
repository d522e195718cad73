import t from "tap";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import { pageBox } from "../../../platform/pdf/page-box.ts";
import { rawPdf } from "../../support/raw-pdf.ts";

const pages: [promise: string, entries: string, shown: [number, number], turns: number][] = [
  ["the media box where there is no crop box", "/MediaBox[0 0 200 100]", [200, 100], 0],
  ["the crop box cut to the media box", "/MediaBox[0 0 200 100]/CropBox[50 50 900 900]", [150, 50], 0],
  [
    "the media box where the crop box lies outside",
    "/MediaBox[0 0 200 100]/CropBox[500 500 600 600]",
    [200, 100],
    0,
  ],
  ["corners in any order", "/MediaBox[200 100 0 0]", [200, 100], 0],
  ["sides exchanged by a quarter turn", "/MediaBox[0 0 200 100]/Rotate 90", [100, 200], 1],
  ["negative turns as positive ones", "/MediaBox[0 0 200 100]/Rotate -90", [100, 200], 3],
  ["units larger than a point", "/MediaBox[0 0 200 100]/UserUnit 2", [400, 200], 0],
  ["US Letter where nothing usable is said", "/MediaBox[0 0 0 0]", [612, 792], 0],
];

t.test("a page is shown with", async (t) => {
  for (const [promise, entries, shown, turns] of pages) {
    t.test(promise, async (t) => {
      const tree = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
      const file = rawPdf(["<</Type/Catalog/Pages 2 0 R>>", tree, `<</Type/Page/Parent 2 0 R${entries}>>`]);
      const box = pageBox((await openPdf(file)).pages[0]?.leaf as never);
      t.same([box.shownWidth, box.shownHeight, box.quarterTurns], [...shown, turns]);
    });
  }
});
