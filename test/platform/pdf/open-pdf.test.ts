import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFArray, type PDFPageLeaf, PDFRawStream } from "pdf-lib";
import t, { type Test } from "tap";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { type OpenedPdf, openPdf } from "../../../platform/pdf/open-pdf.ts";
import { makePages, makePdf } from "../../support/make-pdf.ts";
import { rawPdf, rawStream } from "../../support/raw-pdf.ts";

t.test("opening a PDF", async (t) => {
  t.test("reads a sound file as it is", async (t) => {
    const bytes = await makePages(3);
    const opened = await openPdf(bytes);
    t.equal(opened.pageCount, 3);
    t.equal(opened.bytes, bytes);
    t.notOk(opened.wasEncrypted || opened.wasRepaired);
  });

  t.test("opens what is encrypted with an empty user password", async (t) => {
    const opened = await openPdf(await encrypted(t, ""));
    t.equal(opened.pageCount, 2);
    t.ok(opened.wasEncrypted);
    t.notOk(opened.document.isEncrypted);
  });

  t.test("asks for the password's removal where there is one", async (t) => {
    await t.rejects(openPdf(await encrypted(t, "secret")), { code: "encrypted_pdf" });
  });

  t.test("never takes for repaired what its repair has left encrypted", async (t) => {
    // An older trailer that says nothing of encryption, and cross-references that have to be rebuilt: qpdf goes by that one.
    const locked = Buffer.from(await encrypted(t, "", ["--object-streams=disable"])).toString("latin1");
    const older = "trailer\n<</Root 1 0 R/Size 9>>\n1 0 obj";
    const damaged = Buffer.from(locked.replace("1 0 obj", older), "latin1");
    const opened = await openPdf(damaged);
    t.ok(opened.wasEncrypted);
    const [content = ""] = opened.pages.map(({ leaf }) => plainContent(leaf));
    t.match(content, " Tf");
  });

  t.test("repairs a file whose cross-references and end are gone", async (t) => {
    const whole = Buffer.from(await makePages(2, { objectStreams: false }));
    const cut = whole.subarray(0, whole.lastIndexOf("endobj") + 2);
    t.equal((await openPdf(cut)).pageCount, 2);
  });

  t.test("refuses what is no PDF, whatever it says of itself", async (t) => {
    for (const text of ["", "hello", "%PDF-1.7\nnothing more", "%!PS-Adobe\nshowpage"]) {
      await t.rejects(openPdf(Buffer.from(text)), { code: "invalid_pdf" }, JSON.stringify(text));
    }
  });

  t.test("walks a page tree that loops, once", async (t) => {
    const loop = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R 2 0 R 4 0 R]/Count 900>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>",
      "<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 9>>",
    ]);
    const opened = await openPdf(loop);
    t.equal(opened.pageCount, 1);
    t.equal(opened.document.getPages().length, 1);
  });

  t.test("shows a page that is listed twice, twice", async (t) => {
    const twice = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 2>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>",
    ]);
    t.equal((await openPdf(twice)).pageCount, 2);
  });

  t.test("stops at an object stream that unpacks without end", async (t) => {
    const bomb = deflateSync(Buffer.alloc(2 ** 28, " ")).toString("latin1");
    const entries = "/Type/ObjStm/N 1/First 10/Filter/FlateDecode";
    const file = rawPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Kids[]/Count 0>>", rawStream(bomb, entries)]);
    await t.rejects(openPdf(file), { code: "too_complex" });
  });

  t.test("reads on behind the word endstream in a stream whose length is another object", async (t) => {
    const content = "BT 20 150 Td (a stream ends with endstream) Tj (and this stands after it) Tj ET";
    const opened = await openPdf(withContent(content));
    t.equal(contentOf(opened), content);
  });

  t.test("keeps the line break that data ends with before endstream", async (t) => {
    for (const content of ["0 g\n", "0 g\r", "0 g\r\n", "0 g"])
      t.equal(contentOf(await openPdf(withContent(content))), content, JSON.stringify(content));
  });

  t.test("does not count what a file says its cross-references hold", async (t) => {
    const entries = "/Type/XRef/Size 4000000000/W[1 2 1]/Root 1 0 R";
    const file = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
      rawStream("    ", entries),
    ]);
    t.equal((await openPdf(file)).pageCount, 1);
  });
});

/** One page with this content, whose length stands in an object behind it. */
function withContent(content: string): Buffer {
  return rawPdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R>>",
    `<</Length 5 0 R>>stream\n${content}\nendstream`,
    String(content.length),
  ]);
}

function contentOf({ pages }: OpenedPdf): string {
  const contents = pages[0]?.leaf.Contents();
  return contents instanceof PDFRawStream ? Buffer.from(contents.contents).toString("latin1") : "";
}

function plainContent(leaf: PDFPageLeaf): string {
  const contents = leaf.Contents();
  const parts = contents instanceof PDFArray ? contents.asArray() : [contents];
  const streams = parts
    .map((part) => leaf.context.lookup(part))
    .filter((part) => part instanceof PDFRawStream);
  return streams
    .map((stream) => Buffer.from(decodeStream(stream, 10_000) ?? []).toString("latin1"))
    .join("\n");
}

async function encrypted(t: Test, password: string, options: string[] = []): Promise<Uint8Array> {
  const folder = t.testdir({ "plain.pdf": "" });
  const [plain, locked] = [join(folder, "plain.pdf"), join(folder, "locked.pdf")];
  writeFileSync(plain, await makePdf({ pages: [{ text: "One" }, { text: "Two" }] }));
  spawnSync("qpdf", ["--encrypt", password, "owner", "256", "--", ...options, plain, locked]);
  return readFileSync(locked);
}
