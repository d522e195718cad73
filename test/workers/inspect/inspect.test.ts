import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { claimedPdfA } from "../../../workers/operations/inspect/claimed-pdf-a.ts";
import { inspect } from "../../../workers/operations/inspect/inspect.ts";
import { drawText } from "../../support/draw-text.ts";
import { makePdf } from "../../support/make-pdf.ts";

const { signal } = new AbortController();
const longText = Array.from(
  { length: 8 },
  (_, line) => `Line ${line} of a page with real text that can be read`,
);

async function inspectFile(t: Test, file: Uint8Array) {
  const path = join(t.testdir(), "input.pdf");
  await writeFile(path, file);
  return inspect({ path, size: file.length }, { signal });
}

/** Encrypts with qpdf. */
async function locked(t: Test, file: Uint8Array, passwords: [user: string, owner: string]): Promise<string> {
  const folder = t.testdir();
  await writeFile(join(folder, "plain.pdf"), file);
  const [plain, result] = [join(folder, "plain.pdf"), join(folder, "locked.pdf")];
  execFileSync("qpdf", [
    "--encrypt",
    ...passwords,
    "256",
    "--print=none",
    "--modify=none",
    "--",
    plain,
    result,
  ]);
  return result;
}

t.test("inspecting a PDF tells", async (t) => {
  t.test("each page's size as shown, and whether it is text or a scan", async (t) => {
    const scan = { data: await drawText({ text: "A scan" }), x: 0, y: 0, width: 297, height: 192 };
    const data = await inspectFile(
      t,
      await makePdf({
        pages: [
          { size: [612, 792], text: longText },
          { size: [297, 192], images: [scan] },
          { size: [612, 792], rotate: 90, cropBox: [10, 10, 300, 400] },
        ],
      }),
    );
    t.match(data, {
      page_count: 3,
      images: 1,
      pages_omitted: 0,
      encryption: null,
      form: "none",
      signatures: 0,
    });
    t.match(data.pages, [
      { page: 1, width: 612, height: 792, rotation: 0, content: "text", reason: "the page has real text" },
      { page: 2, width: 297, height: 192, content: "scan", images: 1, characters: 0 },
      { page: 3, width: 400, height: 300, rotation: 90, content: "blank" },
    ]);
    t.match(data.fonts, [{ name: "Helvetica", embedded: false }]);
  });

  t.test("forms, signatures, tags and attachments", async (t) => {
    const data = await inspectFile(
      t,
      await makePdf({
        pages: [{ text: longText }],
        fields: [
          { kind: "text", name: "a", value: "b" },
          { kind: "checkbox", name: "c" },
        ],
        tagged: true,
        attachments: [{ name: "note.txt", data: Buffer.from("note") }],
      }),
    );
    t.match(data, {
      form: "acroform",
      form_fields: 2,
      signatures: 0,
      tagged: true,
      attachments: 1,
      pdf_a: null,
    });
    const signed = await inspectFile(t, await makePdf({ signedLooking: true }));
    t.equal(signed.signatures, 1);
  });

  t.test("what an author allows, and that a password is needed", async (t) => {
    const file = await makePdf({ pages: [{ text: longText }] });
    const open = await inspect({ path: await locked(t, file, ["", "owner"]), size: 0 }, { signal });
    t.match(open, {
      page_count: 1,
      encryption: { password_required: false, permissions: { print: false, copy: true } },
    });
    const shut = await inspect({ path: await locked(t, file, ["user", "owner"]), size: 0 }, { signal });
    t.match(shut, {
      page_count: null,
      pages: null,
      encryption: { password_required: true, permissions: null },
    });
  });

  t.test("which PDF/A a file claims to be", async (t) => {
    const table: [xmp: string, claim: string | null][] = [
      ["<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>", "2b"],
      [`<rdf:Description pdfaid:part="1" pdfaid:conformance='A'/>`, "1a"],
      ["<pdfaid:part>4</pdfaid:part>", "4"],
      ["pdfaid:partial", null],
      ["", null],
    ];
    for (const [xmp, claim] of table) t.equal(claimedPdfA(Buffer.from(xmp)), claim, xmp);
  });

  t.test("nothing of what is no PDF", async (t) => {
    await t.rejects(inspectFile(t, await drawText({ text: "An image" })), { code: "invalid_pdf" });
  });
});
