import t from "tap";
import { Failure } from "../../../platform/contracts/failures.ts";
import { makePages } from "../../support/make-pdf.ts";
import { faultsOf, outlineOf, textOf } from "../../support/pdf-witness.ts";
import { rawPdf, rawStream } from "../../support/raw-pdf.ts";
import { runMerge, runSplit } from "../../support/run-page-operation.ts";

const text = rawStream("BT /F1 12 Tf 50 50 Td (Still here) Tj ET");
const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const pages = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const page = (entries = "") =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>${entries}>>`;
/** Objects 1 to 5 are a document of one page with text; what is broken comes after. */
const document = (catalogEntries: string, more: readonly string[] = [], pageEntries = "") =>
  rawPdf([`<</Type/Catalog/Pages 2 0 R${catalogEntries}>>`, pages, page(pageEntries), text, font, ...more]);

const broken: [string, Buffer][] = [
  [
    "a page tree that contains itself",
    rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count 3>>",
      page(),
      text,
      font,
    ]),
  ],
  [
    "an outline that goes round in circles",
    document("/Outlines 6 0 R", [
      "<</First 7 0 R/Last 8 0 R>>",
      "<</Title(a)/Parent 6 0 R/Next 8 0 R/First 7 0 R/Dest[3 0 R/Fit]>>",
      "<</Title(b)/Parent 6 0 R/Next 7 0 R/First 6 0 R/Dest[3 0 R/Fit]>>",
    ]),
  ],
  [
    "name trees that contain themselves",
    document("/Names<</Dests 6 0 R/EmbeddedFiles 6 0 R>>", [
      "<</Kids[6 0 R 6 0 R]/Names[(a)[3 0 R/Fit](b)]>>",
    ]),
  ],
  [
    "page labels that contain themselves",
    document("/PageLabels 6 0 R", ["<</Kids[6 0 R]/Nums[-5 7 0 R 0]>>"]),
  ],
  [
    "fields that are their own children",
    document(
      "/AcroForm<</Fields[6 0 R 7 0 R 99 0 R 5]/CO[6 0 R 98 0 R]/DR 6 0 R>>",
      [
        "<</T(a)/FT/Tx/Kids[6 0 R 7 0 R]/Parent 7 0 R/Type/Annot/Subtype/Widget/Rect[0 0 1 1]>>",
        "<</T 5/Kids[6 0 R]/Parent 6 0 R>>",
      ],
      "/Annots[6 0 R 7 0 R 6 0 R]",
    ),
  ],
  [
    "annotations that are none",
    document("", ["[6 0 R]"], "/Annots[null 5 (x) 99 0 R 6 0 R<<>><</Subtype/Link/Dest 99 0 R/Rect[a b]>>]"),
  ],
  [
    "a structure tree that contains itself",
    document("/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>", [
      "<</Type/StructTreeRoot/K 7 0 R/ParentTree 8 0 R/RoleMap<</A/A>>/IDTree 8 0 R>>",
      "<</S/A/P 7 0 R/K[7 0 R 6 0 R]/Pg 3 0 R>>",
      "<</Kids[8 0 R]/Nums[0 7 0 R 99999999999 7 0 R]>>",
    ]),
  ],
  [
    "layers, threads and actions that lead nowhere",
    document("/OCProperties<</OCGs[9 0 R 3 0 R]/D<</Order[[[]]9 0 R]>>>>/Threads[6 0 R]/OpenAction 6 0 R", [
      "<</S/GoTo/D[2 0 R/XYZ]/Next 6 0 R/F 6 0 R>>",
    ]),
  ],
  [
    "entries of the wrong type",
    document(
      "/Outlines 5/Names[1]/PageLabels(x)/AcroForm[]/StructTreeRoot/No/OCProperties 1/Lang 5/ViewerPreferences 7",
      [],
      "/Annots 5/Rotate(x)/CropBox[1]/UserUnit/No",
    ),
  ],
];

t.test("broken files", async (t) => {
  const partner = await makePages(1);
  for (const [name, bytes] of broken) {
    t.test(`${name} merge and split as well as they can`, async (t) => {
      for (const pageSize of ["original", "A4"] as const) {
        const merged = await runMerge(t, [bytes, partner, bytes], pageSize);
        t.equal(textOf(merged.path), "Still here Page 1 Still here");
        t.equal(faultsOf(merged.path), "");
        t.equal(outlineOf(merged.path).length, 3);
      }
      const { paths } = await runSplit(t, bytes);
      t.equal(textOf(paths[0] as string), "Still here");
      t.equal(faultsOf(paths[0] as string), "");
    });
  }
});

t.test("one bad file among several is named by its place", async (t) => {
  const good = await makePages(1);
  const refused: [string, Uint8Array, string][] = [
    ["something that is no PDF", Buffer.from("GIF89a"), "invalid_pdf"],
    [
      "a PDF without pages",
      rawPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"]),
      "invalid_pdf",
    ],
    [
      "a form that only its own program can draw",
      document("/NeedsRendering true/AcroForm<</Fields[]/XFA 6 0 R>>", [rawStream("<template></template>")]),
      "unsupported_pdf",
    ],
  ];
  for (const [name, bytes, code] of refused) {
    const fault = await runMerge(t, [good, good, bytes, good]).catch((thrown: unknown) => thrown);
    t.ok(fault instanceof Failure, `${name} is refused`);
    t.match(fault, { code, details: [{ path: "files[2]" }] });
    t.match((fault as Failure).message, /^files\[2\]: /);
  }
});
