import { PDFName, PDFRawStream } from "pdf-lib";
import sharp from "sharp";
import t from "tap";
import type { PlacedValue } from "../../../signing/seal/placed-value.ts";
import { makePdf, type PagePlan } from "../../support/make-pdf.ts";
import { faultsOf, textOf } from "../../support/pdf-witness.ts";
import { renderPage } from "./ink-on-page.ts";
import { drawnSvg, inkValue, openSealingRoom, textValue } from "./sealing-room.ts";

const room = await openSealingRoom(t);
const stroke = await sharp({
  create: { width: 90, height: 40, channels: 4, background: { r: 0, g: 0, b: 60, alpha: 1 } },
})
  .extend({ top: 5, bottom: 5, left: 5, right: 5, background: { r: 0, g: 0, b: 0, alpha: 0 } })
  .png()
  .toBuffer();

/** One of each kind, spread over the page from its very corners. */
function oneOfEach(page: number, width: number, height: number): PlacedValue[] {
  return [
    textValue("Top left", { page, x: 0, y: 0, width: 80, height: 20 }),
    textValue("Bottom right", { page, x: width - 90, y: height - 20, width: 90, height: 20 }),
    inkValue(
      { kind: "typed", text: "Jfgy Åq", font: "great-vibes" },
      { page, x: 30, y: 60, width: 110, height: 40 },
    ),
    inkValue(
      { kind: "typed", text: "Ada", font: "dancing-script" },
      { page, x: 30, y: 110, width: 30, height: 40 },
    ),
    inkValue({ kind: "drawn", svg: drawnSvg }, { page, x: 30, y: 160, width: 100, height: 30 }),
    inkValue(
      { kind: "image", pngBase64: stroke.toString("base64") },
      { page, x: 150, y: 60, width: 60, height: 60 },
    ),
    inkValue(
      { kind: "checkbox", checked: true },
      { page, x: 150, y: 160, width: 12, height: 18 },
      "checkbox",
    ),
    textValue("Several words that need more than one line", { page, x: 150, y: 190, width: 60, height: 40 }),
  ];
}

const turns = [0, 90, 180, 270];
const plans: PagePlan[] = [
  ...turns.map((rotate) => ({ size: [300, 400] as [number, number], rotate })),
  ...turns.map((rotate) => ({
    size: [400, 500] as [number, number],
    rotate,
    cropBox: [70, 90, 250, 300] as [number, number, number, number],
  })),
  ...turns.map((rotate) => ({ size: [150, 200] as [number, number], rotate, userUnit: 2 })),
];

t.test("every value's ink is in its box, to a point, as the reader sees the page", async (t) => {
  const shown = plans.map(({ size = [0, 0], rotate = 0, cropBox, userUnit = 1 }) => {
    const [width, height] = cropBox ? [cropBox[2], cropBox[3]] : size;
    return rotate % 180 === 0 ? [width * userUnit, height * userUnit] : [height * userUnit, width * userUnit];
  });
  const values = shown.map(([width = 0, height = 0], index) => oneOfEach(index + 1, width, height));
  const sealed = await room.seal(await makePdf({ pages: plans }), values.flat());
  t.equal(faultsOf(sealed.path), "");
  for (const [index, { rotate, cropBox, userUnit }] of plans.entries()) {
    const boxes = (values[index] ?? []).map(({ box }) => box);
    const page = await renderPage(sealed.path, index + 1, userUnit);
    const about = `turned ${rotate}${cropBox ? ", cropped" : ""}${userUnit ? ", large units" : ""}`;
    t.same([page.width, page.height], shown[index], `${about}: shown in the size that was told`);
    t.ok(boxes.every(page.hasInk), `${about}: no box is empty`);
    t.equal(page.strayInk(boxes, 1), 0, `${about}: no ink outside`);
  }
});

t.test("names of the world are drawn, and found in the text", async (t) => {
  const names = [
    "Łukasz Żółć",
    "Ωμέγα Ψυχή",
    "Жанна Щукина",
    "王小明",
    "山田太郎",
    "김철수",
    "नमस्ते क्षत्रिय",
    "ธนพล",
  ];
  const values = names.map((name, index) => textValue(name, { y: 40 + 40 * index, height: 30 }));
  const rightToLeft = [textValue("محمد علي", { y: 500 }), textValue("שלום עולם", { y: 550 })];
  const sealed = await room.seal(await makePdf({ pages: [{}] }), [...values, ...rightToLeft]);
  const text = textOf(sealed.path).normalize("NFC");
  for (const name of names) t.ok(text.includes(name), name);
  // Poppler marks the direction of a line in a paragraph of the other direction.
  const plain = text.replace(/[\u200e\u200f\u202a-\u202e]/g, "");
  t.ok(plain.includes("محمد علي"), "Arabic, in reading order");
  t.ok(plain.includes("שלום עולם"), "Hebrew, in reading order");
});

t.test("the state that a page leaves behind moves nothing", async (t) => {
  const contents = [
    "q 3 0 0 3 100 100 cm 1 0 0 rg",
    "Q Q Q 0.2 0 0 0.2 500 500 cm",
    "(q) Tj % q\nq q 0.01 0 0 0.01 50 270 cm BI /W 1 /H 1 /BPC 8 /CS /G ID q EI Q Q",
  ];
  for (const content of contents) {
    const source = await makePdf({
      pages: [{ size: [300, 300] }],
      edit: (document) => {
        const stream = PDFRawStream.of(document.context.obj({}), Buffer.from(content));
        document.getPage(0).node.set(PDFName.of("Contents"), document.context.register(stream));
      },
    });
    const value = textValue("Here", { x: 20, y: 20, width: 80, height: 20 });
    const sealed = await room.seal(source, [value]);
    const page = await renderPage(sealed.path, 1);
    t.ok(page.hasInk(value.box), content);
    t.equal(page.strayInk([value.box], 1), 0, content);
  }
});

t.test("a value that cannot be drawn is refused by its place in the call", async (t) => {
  const cases: [PlacedValue, RegExp][] = [
    [textValue("a".repeat(2000)), /too long for its box of 200 × 40 points/],
    [textValue("\u{10ffff}"), /No installed font can draw/],
    [textValue("\u0007"), /control character U\+0007/],
    [inkValue({ kind: "typed", text: " ", font: "caveat" }), /at least one letter/],
    [inkValue({ kind: "drawn", svg: "<svg></svg>" }), /drawing is empty/],
    [inkValue({ kind: "drawn", svg: `<svg><script>alert(1)</script></svg>` }), /something else than paths/],
    [
      inkValue({ kind: "drawn", svg: `<svg><path d="M 0 0 A 1 1 0 0 0 5 5"/></svg>` }),
      /something else than paths/,
    ],
    [inkValue({ kind: "image", pngBase64: "AAAA" }), /not a PNG/],
    [inkValue({ kind: "image", pngBase64: stroke.subarray(0, 60).toString("base64") }), /cannot be decoded/],
  ];
  const source = await makePdf();
  for (const [value, message] of cases) {
    const refusal = { code: "validation_failed", details: [{ path: "fields[2].value", message }] };
    await t.rejects(room.seal(source, [{ ...value, path: "fields[2].value" }]), refusal, String(message));
  }
});

t.test("a picture of more pixels than a signature has is refused before it is decoded", async (t) => {
  const header = Buffer.from(stroke);
  header.writeUInt32BE(60_000, 16);
  header.writeUInt32BE(60_000, 20);
  const value = inkValue({ kind: "image", pngBase64: header.toString("base64") });
  const refusal = { code: "validation_failed", details: [{ message: /million pixels/ }] };
  await t.rejects(room.seal(await makePdf(), [value]), refusal);
});
