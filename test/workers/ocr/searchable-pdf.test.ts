import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t, { type Test } from "tap";
import { ocr } from "../../../workers/operations/ocr/ocr.ts";
import { drawText } from "../../support/draw-text.ts";
import { makePdf, type PagePlan } from "../../support/make-pdf.ts";

const sentence = "Somewhere under the seventh rainbow lies a treasure that nobody ever found.";

async function searchable(t: Test, file: Uint8Array, { language = "eng", forceOcr = false } = {}) {
  const folder = t.testdir();
  const path = join(folder, "input");
  await writeFile(path, file);
  const context = { workDir: folder, signal: new AbortController().signal, progress: () => {} };
  const params = { language, outputFormat: "pdf", forceOcr } as const;
  const { data, files } = await ocr([{ path, size: file.length }], params, context);
  const pdf = join(folder, "output.pdf");
  const [result] = files;
  await writeFile(pdf, result instanceof Uint8Array ? result : readFileSync(result?.path ?? ""));
  execFileSync("qpdf", ["--check", pdf], { stdio: "ignore" });
  return { data, pdf };
}

const textOf = (pdf: string) => execFileSync("pdftotext", [pdf, "-"]).toString().replace(/\s+/g, " ").trim();

type Box = { left: number; top: number; right: number; bottom: number };

/** Where poppler finds a word on the page as shown, in points from its top left. */
function boxOf(pdf: string, word: string): Box {
  const html = execFileSync("pdftotext", ["-bbox", "-cropbox", pdf, "-"]).toString();
  const found = html.match(new RegExp(`xMin="(\\S+)" yMin="(\\S+)" xMax="(\\S+)" yMax="(\\S+)">${word}<`));
  const [left = 0, top = 0, right = 0, bottom = 0] = (found ?? []).slice(1).map(Number);
  return { left, top, right, bottom };
}

/** Where the ink of a black box on white stands, in pixels. */
async function inkOf(image: Buffer): Promise<Box> {
  const { info } = await sharp(image).trim({ threshold: 50 }).toBuffer({ resolveWithObject: true });
  const left = -(info.trimOffsetLeft ?? 0);
  const top = -(info.trimOffsetTop ?? 0);
  return { left, top, right: left + info.width, bottom: top + info.height };
}

function near(t: Test, found: Box, wanted: Box, points: number) {
  for (const side of ["left", "top", "right", "bottom"] as const) {
    t.ok(Math.abs(found[side] - wanted[side]) <= points, `${side}: ${found[side]} for ${wanted[side]}`);
  }
}

t.test("a searchable PDF", async (t) => {
  t.test("of an image shows the image, and finds its words", async (t) => {
    const { data, pdf } = await searchable(t, await drawText({ text: sentence }));
    t.match(data, { pdf_base64: { $file: 0 }, pages: [{ page: 1 }] });
    t.equal(textOf(pdf), sentence);
    t.match(execFileSync("pdfinfo", [pdf]).toString(), /Page size: +297\.6 x 192 pts/);
    t.match(execFileSync("pdfimages", ["-list", pdf]).toString(), /1240 +800 /);
  });

  t.test("names its font's character collection in ASCII, as the standard says", async (t) => {
    const { pdf } = await searchable(t, await drawText({ text: "Treasure" }));
    const plain = ["--qdf", "--object-streams=disable", pdf, "-"];
    const objects = execFileSync("qpdf", plain, { maxBuffer: 64 * 2 ** 20 });
    t.match(objects.toString("latin1"), /\/Registry \(Adobe\)/);
  });

  t.test("keeps a JPEG's own bytes", async (t) => {
    const jpeg = await sharp(await drawText({ text: sentence }))
      .jpeg()
      .toBuffer();
    const { pdf } = await searchable(t, jpeg);
    t.ok(readFileSync(pdf).includes(jpeg));
  });

  t.test("has each word where it is seen, however the page is turned, cut and sloped", async (t) => {
    const word = await drawText({ text: "Treasure" });
    const ink = await inkOf(word);
    const scan = { data: word, x: 100, y: 200, width: 297.6, height: 192 };
    const box = (left: number, top: number): Box => ({
      left: left + ink.left * 0.24,
      top: top + ink.top * 0.24,
      right: left + ink.right * 0.24,
      bottom: top + ink.bottom * 0.24,
    });
    const upright = box(100, 792 - 392);
    const pages: [title: string, page: PagePlan, wanted: Box][] = [
      ["as it is", { size: [612, 792], images: [scan] }, upright],
      ["cut", { size: [612, 792], images: [scan], cropBox: [80, 150, 400, 300] }, box(20, 450 - 392)],
    ];
    for (const [title, page, wanted] of pages) {
      t.test(title, async (t) => {
        const { pdf } = await searchable(t, await makePdf({ pages: [page] }));
        near(t, boxOf(pdf, "Treasure"), wanted, 1.5);
      });
    }

    for (const turned of [90, 180, 270]) {
      t.test(`turned by ${turned}°`, async (t) => {
        // The page turns the scan, which lies the other way round: a reader sees it upright.
        const lying = await drawText({ text: `Treasure ${sentence}`, turnDegrees: 360 - turned });
        const [width, height] = turned === 180 ? [297.6, 192] : [192, 297.6];
        const image = { data: lying, x: 0, y: 0, width, height };
        const page: PagePlan = { size: [width, height], images: [image], rotate: turned };
        const { pdf } = await searchable(t, await makePdf({ pages: [page] }));
        near(t, boxOf(pdf, "Treasure"), box(0, 0), 1.5);
      });
    }

    t.test("lying on its side", async (t) => {
      const lying = await drawText({ text: `Treasure ${sentence} ${sentence}`, turnDegrees: 90 });
      const image = { data: lying, x: 0, y: 0, width: 192, height: 297.6 };
      const { pdf } = await searchable(
        t,
        await makePdf({ pages: [{ size: [192, 297.6], images: [image] }] }),
      );
      const found = boxOf(pdf, "Treasure");
      const wanted = {
        left: 192 - ink.bottom * 0.24,
        top: ink.left * 0.24,
        right: 192 - ink.top * 0.24,
        bottom: ink.right * 0.24,
      };
      near(t, found, wanted, 1.5);
    });

    t.test("sloped", async (t) => {
      const sloped = await drawText({ text: `Treasure ${sentence} ${sentence}`, turnDegrees: 3 });
      const { pdf } = await searchable(t, sloped);
      t.match(textOf(pdf), "Treasure Somewhere under the seventh rainbow");
      const found = boxOf(pdf, "nobody");
      const seen = await wordsSeen(pdf, found);
      t.ok(seen > 0.05, `ink under the word: ${seen}`);
    });
  });

  t.test("finds Hebrew and Chinese too", async (t) => {
    for (const [language, text, font] of [
      ["heb", "שלום עולם טוב", "Sans"],
      ["chi_sim", "人人生而自由", "Noto Sans CJK SC"],
    ] as const) {
      const { data, pdf } = await searchable(t, await drawText({ text, font }), { language });
      t.equal(data.text, text);
      // Poppler puts marks of direction around what runs right to left.
      t.equal(textOf(pdf).replace(/[\u202a-\u202e]/g, ""), text);
    }
  });

  t.test("has each word once, also when the scan had been recognised before", async (t) => {
    const first = await searchable(t, await drawText({ text: sentence }));
    const again = await searchable(t, readFileSync(first.pdf));
    t.match(again.data, { method: "tesseract", pages: [{ reason: "the text is invisible, over a scan" }] });
    t.equal(textOf(again.pdf), sentence);
  });

  t.test(
    "has each word once, also when pages with text are recognised because it was asked for",
    async (t) => {
      const scan = { data: await drawText({ text: "Treasure" }), x: 100, y: 200, width: 297.6, height: 192 };
      for (const rotate of [0, 90]) {
        const page = { text: [sentence, "Second line"], images: [scan], rotate };
        const { data, pdf } = await searchable(t, await makePdf({ pages: [page] }), { forceOcr: true });
        t.equal(data.method, "tesseract");
        for (const word of ["rainbow", "Second", "Treasure"])
          t.equal(textOf(pdf).split(word).length - 1, 1, `${word}, turned by ${rotate}°`);
      }
    },
  );

  t.test("of a signed file is another document: the field stays, the signature goes", async (t) => {
    const scan = { data: await drawText({ text: sentence }), x: 0, y: 0, width: 297.6, height: 192 };
    const { pdf } = await searchable(t, await makePdf({ pages: [{ images: [scan] }], signedLooking: true }));
    t.match(execFileSync("pdfsig", [pdf]).toString(), /does not contain any signatures|not signed/i);
    t.match(execFileSync("qpdf", ["--json", pdf]).toString(), /Signature1/);
  });

  t.test("leaves pages with text, links and form fields as they are", async (t) => {
    const lines = Array.from({ length: 8 }, (_, line) => `Line ${line}: ${sentence}`);
    const file = await makePdf({
      pages: [{ text: lines, links: [{ toUri: "https://example.org/" }] }],
      fields: [{ kind: "text", name: "city", value: "Oslo" }],
    });
    const { pdf } = await searchable(t, file);
    t.equal(textOf(pdf).match(/Line 3/g)?.length, 1);
    t.match(execFileSync("qpdf", ["--json", pdf]).toString(), /example\.org/);
    t.match(execFileSync("qpdf", ["--json", pdf]).toString(), /u:Oslo/);
  });
});

/** The share of dark pixels in a box of the drawn page. */
async function wordsSeen(pdf: string, box: Box): Promise<number> {
  const drawn = execFileSync("pdftoppm", ["-gray", "-r", "144", pdf], { maxBuffer: 64 * 2 ** 20 });
  const [width = 0, height = 0] = drawn
    .subarray(0, 20)
    .toString("latin1")
    .split(/\s/)
    .slice(1, 3)
    .map(Number);
  const pixels = drawn.subarray(drawn.length - width * height);
  let dark = 0;
  let all = 0;
  for (let y = Math.floor(box.top * 2); y < box.bottom * 2; y += 1) {
    for (let x = Math.floor(box.left * 2); x < box.right * 2; x += 1) {
      all += 1;
      if ((pixels[y * width + x] ?? 255) < 128) dark += 1;
    }
  }
  return dark / all;
}
