import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import t, { type Test } from "tap";
import { Failure } from "../../../platform/contracts/failures.ts";
import { ocr } from "../../../workers/operations/ocr/ocr.ts";
import { drawText } from "../../support/draw-text.ts";

async function failureOf(t: Test, file: Uint8Array, language = "eng"): Promise<Failure> {
  const path = join(t.testdir(), "input");
  await writeFile(path, file);
  const context = { workDir: t.testdirName, signal: new AbortController().signal, progress: () => {} };
  const source = { path, size: file.length };
  try {
    await ocr([source], { language, outputFormat: "text", forceOcr: false }, context);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("It did not fail");
}

t.test("OCR refuses, saying what to do", async (t) => {
  const refusals: [
    title: string,
    file: () => Promise<Uint8Array> | Uint8Array,
    code: string,
    message: RegExp,
  ][] = [
    [
      "what is neither a PDF nor an image",
      () => Buffer.from("<html>Not found</html>"),
      "invalid_image",
      /PNG, JPEG/,
    ],
    ["an empty file", () => new Uint8Array(), "invalid_image", /neither/],
    ["a PDF without a page", () => emptyPages(0), "invalid_pdf", /cannot be opened/],
    ["what only begins like a PDF", () => Buffer.from("%PDF-1.7\nand nothing else"), "invalid_pdf", /cannot/],
    ["half an image", async () => (await noise()).subarray(0, 3000), "invalid_image", /decoded/],
    [
      "a small file of 2.5 gigapixels",
      () => hugePng(50_000),
      "too_complex",
      /200 million pixels.*50000 × 50000/,
    ],
    ["a bitmap whose header lies about its size", () => hugeBmp(), "too_complex", /200 million pixels/],
    ["a TIFF of more pages than a job can read", () => manyPages(1501), "too_complex", /1500 pages.*1501/],
    ["a PDF of more pages than are read", () => emptyPages(5001), "too_complex", /5000 pages.*5001/],
  ];
  for (const [title, file, code, message] of refusals) {
    t.test(title, async (t) => {
      const failure = await failureOf(t, await file());
      t.equal(failure.code, code);
      t.match(failure.message, message);
    });
  }

  t.test("no whole TIFF for one page of it", async (t) => {
    const path = join(t.testdir(), "input.tif");
    const pages = [await drawText({ text: "A page that is whole" }), await drawText({ text: "Another" })];
    const tiff = await sharp(pages, { join: { animated: true } })
      .tiff({ compression: "lzw" })
      .toBuffer();
    await writeFile(path, withoutSecondPage(tiff));
    const context = { workDir: t.testdirName, signal: new AbortController().signal, progress: () => {} };
    const params = { language: "eng", outputFormat: "pdf", forceOcr: false } as const;
    const { data } = await ocr([{ path, size: tiff.length }], params, context);
    t.match(data, { text: "A page that is whole\n\n", failed_pages: [2] });
    t.match(data.pages, [{ status: "ok" }, { status: "unreadable", text: "" }]);
  });

  t.test("languages that it does not know or have", async (t) => {
    const failure = await failureOf(t, await drawText({ text: "Hello" }), "eng+tlh");
    t.match(failure, { code: "validation_failed", details: [{ path: "language" }] });
    t.match(failure.message, /"tlh".*There are: afr/);
  });
});

/** Overwrites the pixels of the second page (TIFF 6.0: tag 273 says where its strips are, 279 how long). */
function withoutSecondPage(tiff: Buffer): Buffer {
  const second = tiff.readUInt32LE(nextAt(tiff, tiff.readUInt32LE(4)));
  for (let entry = second + 2; entry < nextAt(tiff, second); entry += 12) {
    if (tiff.readUInt16LE(entry) !== 273) continue;
    const [count, value] = [tiff.readUInt32LE(entry + 4), tiff.readUInt32LE(entry + 8)];
    const strip = count === 1 ? value : tiff.readUInt32LE(value);
    tiff.fill(0xff, strip, strip + 500);
  }
  return tiff;
}

function nextAt(tiff: Buffer, directory: number): number {
  return directory + 2 + 12 * tiff.readUInt16LE(directory);
}

function noise(): Promise<Buffer> {
  const gaussian = { type: "gaussian" as const, mean: 128, sigma: 30 };
  return sharp({ create: { width: 300, height: 300, channels: 3, noise: gaussian, background: "white" } })
    .jpeg()
    .toBuffer();
}

function emptyPages(count: number): Uint8Array {
  const numbers = Array.from({ length: count }, (_, index) => index + 3);
  const pages = numbers.map((number) => `${number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj`);
  const kids = numbers.map((number) => `${number} 0 R`).join(" ");
  const tree = `2 0 obj<</Type/Pages/Kids[${kids}]/Count ${count}>>endobj`;
  const body = ["%PDF-1.4", "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj", tree, ...pages];
  return Buffer.from(`${body.join("\n")}\ntrailer<</Root 1 0 R/Size ${count + 3}>>\n%%EOF\n`);
}

/** White, one bit a pixel, and nearly nothing once compressed. */
function hugePng(side: number): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    // Nobody gets as far as the checksum.
    return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  };
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.alloc(1000)))]);
}

function hugeBmp(): Uint8Array {
  const head = Buffer.alloc(60);
  head.write("BM", "latin1");
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(0x7fffffff, 18);
  head.writeInt32LE(0x7fffffff, 22);
  head.writeUInt16LE(24, 28);
  return head;
}

/** A TIFF whose directories all show the same pixel (TIFF 6.0 §2). */
function manyPages(count: number): Uint8Array {
  const entries = [
    [256, 1],
    [257, 1],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, 1],
    [279, 1],
  ] as const;
  const size = 2 + 12 * entries.length + 4;
  const file = Buffer.alloc(10 + count * size);
  file.write("II*\0", "latin1");
  file.writeUInt32LE(10, 4);
  for (let page = 0; page < count; page += 1) {
    const at = 10 + page * size;
    file.writeUInt16LE(entries.length, at);
    for (const [index, [tag, value]] of entries.entries()) {
      const entry = at + 2 + 12 * index;
      file.writeUInt16LE(tag, entry);
      file.writeUInt16LE(4, entry + 2);
      file.writeUInt32LE(1, entry + 4);
      file.writeUInt32LE(value, entry + 8);
    }
    file.writeUInt32LE(page + 1 < count ? at + size : 0, at + size - 4);
  }
  return file;
}
