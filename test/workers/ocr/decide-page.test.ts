import t from "tap";
import { decidePage } from "../../../workers/operations/ocr/decide-page.ts";
import type { PageEvidence } from "../../../workers/operations/ocr/page-evidence.ts";

const page: PageEvidence = {
  characters: 2000,
  unmapped: 0,
  invisible: 0,
  lettersAndDigits: 1800,
  images: 0,
  imageCoverage: 0,
  imageDpi: null,
  marked: true,
};

t.test("deciding how a PDF page gets its text", async (t) => {
  const table: [title: string, evidence: Partial<PageEvidence>, decision: "read" | "recognise"][] = [
    ["reads real text", {}, "read"],
    ["reads real text over a background picture", { images: 1, imageCoverage: 1 }, "read"],
    ["reads a page of figures", { lettersAndDigits: 1200, unmapped: 50 }, "read"],
    ["recognises nothing on a blank page", { characters: 0, lettersAndDigits: 0, marked: false }, "read"],
    ["recognises a page without text", { characters: 0, lettersAndDigits: 0 }, "recognise"],
    ["does not trust fonts that do not say what they show", { unmapped: 500 }, "recognise"],
    ["recognises a scan again that had been recognised", { invisible: 2000, imageCoverage: 1 }, "recognise"],
    ["reads invisible text without a scan", { invisible: 2000 }, "read"],
    [
      "recognises a scan with a stamp",
      { characters: 30, lettersAndDigits: 25, imageCoverage: 0.95 },
      "recognise",
    ],
    [
      "recognises a stamped scan that had been recognised in part",
      { characters: 900, lettersAndDigits: 800, invisible: 870, imageCoverage: 0.95 },
      "recognise",
    ],
    [
      "reads a title page with a picture",
      { characters: 60, lettersAndDigits: 55, imageCoverage: 0.3 },
      "read",
    ],
    ["does not trust symbols for letters", { lettersAndDigits: 300 }, "recognise"],
  ];
  for (const [title, evidence, decision] of table) {
    t.test(title, async (t) => t.equal(decidePage({ ...page, ...evidence }).decision, decision));
  }
});
