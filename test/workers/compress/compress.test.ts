import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import t, { type Test } from "tap";
import { type CompressParams, compress } from "../../../workers/operations/compress/compress.ts";
import { makePages, makePdf } from "../../support/make-pdf.ts";
import {
  attachmentsOf,
  faultsOf,
  fieldsOf,
  outlineOf,
  pageSizesOf,
  plainBytesOf,
  textOf,
} from "../../support/pdf-witness.ts";
import { rawPdf, rawStream } from "../../support/raw-pdf.ts";

t.test("compressing", async (t) => {
  t.test("makes a photo as fine as it is shown, and keeps all that the document is", async (t) => {
    const photo = await photograph(2400, 1800);
    const input = await makePdf({
      pages: [
        { text: "First page", images: [{ data: photo, x: 50, y: 300, width: 288, height: 216 }] },
        { text: "Second", rotate: 90, cropBox: [10, 10, 300, 400] },
      ],
      title: "Title",
      fields: [
        { kind: "text", name: "name", value: "Ann" },
        { kind: "checkbox", name: "yes", value: "on" },
      ],
      outline: [{ title: "One", page: 1, children: [{ title: "Two", page: 2 }] }],
      attachments: [{ name: "a.txt", data: Buffer.from("attached") }],
      tagged: true,
    });
    const { data, path, inputPath } = await run(t, input);
    t.equal(data.method, "images");
    t.ok(Number(data.savings_percent) > 50, `saved ${data.savings_percent} %`);
    t.equal(data.original_size, input.length);
    t.equal(data.compressed_size, readFileSync(path).length);
    t.equal(faultsOf(path), "");
    t.equal(textOf(path), textOf(inputPath));
    t.same(pageSizesOf(path), pageSizesOf(inputPath));
    t.same(outlineOf(path), outlineOf(inputPath));
    t.same(fieldsOf(path), fieldsOf(inputPath));
    t.same(attachmentsOf(path), attachmentsOf(inputPath));
    t.match(plainBytesOf(path), /\/Width 600\b/);
    t.match(plainBytesOf(path), /StructTreeRoot/);
  });

  t.test("keeps more of a picture at a lower level", async (t) => {
    const images = [{ data: await photograph(2400, 1800), x: 50, y: 300, width: 288, height: 216 }];
    const input = await makePdf({ pages: [{ images }] });
    const sizes: number[] = [];
    for (const level of ["low", "medium", "high"] as const) {
      const { data } = await run(t, input, { level, allowBreakingSignatures: false });
      sizes.push(Number(data.compressed_size));
    }
    t.ok(sizes[0] && sizes[1] && sizes[2] && sizes[0] > sizes[1] && sizes[1] > sizes[2], sizes.join(" > "));
  });

  t.test("keeps the grain of a photo, rather than the photo as it was", async (t) => {
    const images = [{ data: await photograph(800, 1000, 60), x: 0, y: 0, width: 612, height: 792 }];
    const { data } = await run(t, await makePdf({ pages: [{ images }] }));
    t.equal(data.method, "images");
    t.ok(Number(data.savings_percent) > 30, `saved ${data.savings_percent} %`);
  });

  t.test("gives the input back, byte for byte, when nothing is gained", async (t) => {
    const once = await run(t, await makePages(2));
    const twice = await run(t, readFileSync(once.path));
    t.equal(twice.data.method, "original");
    t.equal(twice.data.savings_percent, 0);
    t.same(readFileSync(twice.path), readFileSync(once.path));
  });

  t.test("shares what is the same and drops what nobody refers to", async (t) => {
    const image = rawStream(
      "\x00\x80\xff".repeat(3000),
      "/Type/XObject/Subtype/Image/Width 100/Height 90/BitsPerComponent 8/ColorSpace/DeviceGray",
    );
    const input = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</A 5 0 R/B 6 0 R>>>>>>",
      rawStream("50 0 0 50 0 0 cm /A Do 1 0 0 1 1 0 cm /B Do"),
      image,
      image,
      rawStream("nobody refers to this".repeat(500)),
    ]);
    const { path } = await run(t, input);
    const plain = plainBytesOf(path);
    t.equal(plain.match(/\/Subtype \/Image/g)?.length, 1);
    t.notMatch(plain, /nobody refers/);
    t.equal(faultsOf(path), "");
  });

  t.test("leaves alone what it cannot handle rightly: colour keys, stencils, unusual decoding", async (t) => {
    const bytes = deflateSync(
      Buffer.from(Array.from({ length: 120 * 120 }, (_, at) => (at * 7) % 251)),
    ).toString("latin1");
    const common =
      "/Type/XObject/Subtype/Image/Width 120/Height 120/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode";
    const images = ["/Mask[0 9]", "/Decode[1 0]", "/Decode[0 .5]"].map((entry) =>
      rawStream(bytes, common + entry),
    );
    const input = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</A 5 0 R/B 6 0 R/C 7 0 R>>>>>>",
      rawStream("30 0 0 30 0 0 cm /A Do 1 0 0 1 1 0 cm /B Do 1 0 0 1 1 0 cm /C Do"),
      ...images,
    ]);
    const { path } = await run(t, input);
    t.equal(plainBytesOf(path).match(/\/Width 120\b/g)?.length, 3);
  });

  t.test("refuses a signed document unless told to break the signature", async (t) => {
    const signed = await makePdf({ signedLooking: true });
    await t.rejects(run(t, signed), { code: "signed_pdf" });
    await t.resolves(run(t, signed, { level: "medium", allowBreakingSignatures: true }));
  });

  t.test("refuses contents that unpack without end", async (t) => {
    const twice = deflateSync(deflateSync(Buffer.alloc(2 ** 28)));
    const input = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>",
      rawStream(twice.toString("latin1"), "/Filter[/FlateDecode/FlateDecode]"),
    ]);
    await t.rejects(run(t, input), { code: "too_complex" });
  });

  t.test(
    "gives contents that show themselves back untouched, instead of drawing them for ever",
    async (t) => {
      const input = rawPdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources 6 0 R>>",
        rawStream("/P cs /A scn 0 0 9 9 re f"),
        rawStream(
          "/Pattern cs /A scn 0 0 9 9 re f",
          "/PatternType 1/PaintType 1/TilingType 1/XStep 9/YStep 9/BBox[0 0 9 9]/Resources 6 0 R",
        ),
        "<</Pattern<</A 5 0 R>>/ColorSpace<</P/Pattern>>>>",
      ]);
      const { data } = await run(t, input);
      t.equal(data.method, "original");
    },
  );

  t.test("stops when it is cancelled", async (t) => {
    const folder = t.testdir({ "in.pdf": Buffer.from(await makePages(1)) });
    const signal = AbortSignal.abort(new Error("cancelled"));
    const source = { path: join(folder, "in.pdf"), size: 1 };
    const params = { level: "medium", allowBreakingSignatures: false } as const;
    await t.rejects(compress([source], params, { workDir: folder, signal, progress() {} }), {
      message: "cancelled",
    });
  });
});

async function run(
  t: Test,
  input: Uint8Array,
  params: CompressParams = { level: "medium", allowBreakingSignatures: false },
) {
  const folder = t.testdir({ work: {} });
  const inputPath = join(folder, "in.pdf");
  writeFileSync(inputPath, input);
  const context = { workDir: join(folder, "work"), signal: new AbortController().signal, progress() {} };
  const result = await compress([{ path: inputPath, size: input.length }], params, context);
  const path = join(folder, "out.pdf");
  writeFileSync(path, result.files[0] as Uint8Array);
  return { data: result.data, path, inputPath };
}

/** Soft shapes with some grain, as a camera sees them. */
async function photograph(width: number, height: number, grain?: number): Promise<Uint8Array> {
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 3) {
    const x = (at / 3) % width;
    const y = Math.floor(at / 3 / width);
    const noise = grain
      ? (Math.imul(at ^ (at >>> 7), 2_654_435_761) >>> 20) % grain
      : (x * 7919 + y * 104_729) % 13;
    data[at] = 128 + 100 * Math.sin(x / 180) + noise;
    data[at + 1] = 128 + 100 * Math.sin(y / 140) + noise;
    data[at + 2] = 128 + 100 * Math.sin((x + y) / 220) + noise;
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}
