import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t, { type Test } from "tap";
import { ocr } from "../../../workers/operations/ocr/ocr.ts";
import type { OcrParams } from "../../../workers/operations/ocr/ocr-phases.ts";
import { drawText } from "../../support/draw-text.ts";
import { makePdf } from "../../support/make-pdf.ts";

const sentence =
  "The quick brown fox jumps over the lazy dog and runs away from the hunters before night falls.";
const oneLine = (text: unknown) => String(text).replace(/\s+/g, " ").trim();

async function read(t: Test, file: Uint8Array, params: Partial<OcrParams> = {}) {
  const path = join(t.testdir(), "input");
  await writeFile(path, file);
  const context = { workDir: t.testdirName, signal: new AbortController().signal, progress: () => {} };
  const all: OcrParams = { language: "eng", outputFormat: "json", forceOcr: false, ...params };
  const { data } = await ocr([{ path, size: file.length }], all, context);
  return data as typeof data & { pages: { [key: string]: unknown }[] };
}

/** A page of real text: enough words that nobody takes it for a stamp on a scan. */
const longText = Array.from({ length: 8 }, (_, line) => `Line ${line}: ${sentence.slice(0, 60)}`);

t.test("OCR of an image", async (t) => {
  const picture = await drawText({ text: sentence });

  t.test("reads it, and says how surely", async (t) => {
    const data = await read(t, picture);
    t.equal(oneLine(data.text), sentence);
    t.match(data, { method: "tesseract", word_count: 18, failed_pages: [] });
    t.match(data.pages, [{ page: 1, source: "tesseract", status: "ok", angle: 0, skew: 0, dpi: 300 }]);
    t.ok(Number(data.pages[0]?.confidence) > 85);
  });

  t.test("of any kind is known by its content", async (t) => {
    const grey = sharp(picture);
    const kinds = [grey.clone().jpeg(), grey.clone().webp(), grey.clone().gif(), grey.clone().tiff()];
    for (const kind of kinds) t.equal(oneLine((await read(t, await kind.toBuffer())).text), sentence);
    t.equal(oneLine((await read(t, await asBmp(picture))).text), sentence);
  });

  t.test("reads white paper where it is transparent", async (t) => {
    const { data, info } = await sharp(picture)
      .negate()
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const ink = {
      create: { width: info.width, height: info.height, channels: 3 as const, background: "navy" },
    };
    const raw = { width: info.width, height: info.height, channels: 1 as const };
    const clear = await sharp(ink).joinChannel(data, { raw }).png().toBuffer();
    t.equal(oneLine((await read(t, clear)).text), sentence);
  });

  t.test("turns it upright, whichever way it lies", async (t) => {
    for (const turned of [90, 180, 270]) {
      const data = await read(t, await drawText({ text: `${sentence} ${sentence}`, turnDegrees: turned }));
      t.match(oneLine(data.text), sentence, `${turned}°`);
      t.equal(data.pages[0]?.angle, 360 - turned);
    }
  });

  t.test("straightens it", async (t) => {
    const data = await read(t, await drawText({ text: `${sentence} ${sentence}`, turnDegrees: 3 }));
    t.match(oneLine(data.text), sentence);
    t.ok(Math.abs(Number(data.pages[0]?.skew) - 3) < 0.5, String(data.pages[0]?.skew));
  });

  t.test("reads several languages at once", async (t) => {
    const text = "Größe und Übermut wären schön. Where there is a will there is a way.";
    const data = await read(t, await drawText({ text }), { language: "deu+eng" });
    t.equal(oneLine(data.text), text);
  });
});

t.test("OCR of a file with several pages", async (t) => {
  const [first, second] = await Promise.all([
    drawText({ text: "This is what the first page says" }),
    drawText({ text: "Here the second page has words" }),
  ]);

  t.test("reads every page of a TIFF, in order", async (t) => {
    const tiff = await sharp([first, second], { join: { animated: true } })
      .tiff({ compression: "lzw" })
      .toBuffer();
    const data = await read(t, tiff);
    t.equal(data.text, "This is what the first page says\n\nHere the second page has words");
    t.equal(data.pages.length, 2);
  });

  t.test("reads text where there is text, and recognises the rest", async (t) => {
    const scan = { data: first, x: 0, y: 0, width: 297, height: 192 };
    const file = await makePdf({ pages: [{ text: longText }, { size: [297, 192], images: [scan] }, {}] });
    const data = await read(t, file);
    t.match(data, { method: "mixed", failed_pages: [] });
    t.match(data.pages, [
      { source: "text-layer", confidence: null, reason: "the page has real text" },
      { source: "tesseract", text: "This is what the first page says", reason: "the page has no text" },
      { source: "text-layer", text: "", reason: "the page is blank" },
    ]);
    t.equal(data.pages[0]?.text, longText.join("\n"));
  });

  t.test("recognises everything when it is asked to", async (t) => {
    const data = await read(t, await makePdf({ pages: [{ text: longText }] }), { forceOcr: true });
    t.match(data, { method: "tesseract" });
    t.match(data.pages[0]?.text, "The quick brown fox jumps over the lazy dog");
  });

  t.test("reads what is filled into a form", async (t) => {
    const file = await makePdf({
      pages: [{ text: longText }],
      fields: [{ kind: "text", name: "city", value: "Reykjavik" }],
    });
    t.match((await read(t, file)).text, "Reykjavik");
  });
});

/** 24 bits a pixel, from the bottom. */
async function asBmp(picture: Buffer): Promise<Uint8Array> {
  const { data, info } = await sharp(picture)
    .toColourspace("srgb")
    .flip()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const stride = Math.ceil((info.width * 3) / 4) * 4;
  const head = Buffer.alloc(54);
  head.write("BM", "latin1");
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(info.width, 18);
  head.writeInt32LE(info.height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  const rows = Array.from({ length: info.height }, (_, y) => {
    const row = Buffer.alloc(stride);
    data.copy(row, 0, y * info.width * 3, (y + 1) * info.width * 3);
    return row;
  });
  return Buffer.concat([head, ...rows]);
}
