import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFName } from "pdf-lib";
import t from "tap";
import { makeCertificate } from "../../../signing/seal/make-certificate.ts";
import { createSealPool } from "../../../signing/seal/seal-pool.ts";
import { makePages, makePdf } from "../../support/make-pdf.ts";
import { textValue } from "./sealing-room.ts";

const folder = mkdtempSync(join(tmpdir(), "seal-pool-"));
const pool = createSealPool({ key: makeCertificate("Test", new Date()), timestamp: null, threads: 1 });
t.teardown(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

function save(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

t.test("an upload's pages are told as a reader shows them", async (t) => {
  const pages = [
    { size: [300, 400] as [number, number] },
    { size: [300, 400] as [number, number], rotate: 90 },
    {
      size: [300, 400] as [number, number],
      rotate: 270,
      cropBox: [10, 20, 200, 100] as [number, number, number, number],
    },
    { size: [300, 400] as [number, number], userUnit: 2 },
  ];
  t.same((await pool.inspectUpload(save("pages.pdf", await makePdf({ pages })))).pages, [
    { width: 300, height: 400 },
    { width: 400, height: 300 },
    { width: 100, height: 200 },
    { width: 600, height: 800 },
  ]);
});

t.test("what cannot be signed is refused when it is uploaded", async (t) => {
  const plain = save("plain.pdf", await makePages(1));
  const locked = join(folder, "locked.pdf");
  execFileSync("qpdf", ["--encrypt", "user", "owner", "256", "--", plain, locked]);
  const xfa = await makePdf({
    edit: ({ context, catalog }) => {
      const packet = context.register(context.stream("<xdp:xdp><template></template></xdp:xdp>"));
      catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: [], XFA: packet }));
      catalog.set(PDFName.of("NeedsRendering"), context.obj(true));
    },
  });
  await t.rejects(pool.inspectUpload(locked), { code: "encrypted_pdf" });
  await t.rejects(pool.inspectUpload(save("signed.pdf", await makePdf({ signedLooking: true }))), {
    code: "signed_pdf",
  });
  await t.rejects(pool.inspectUpload(save("xfa.pdf", xfa)), { code: "unsupported_pdf" });
  await t.rejects(pool.inspectUpload(save("text.pdf", Buffer.from("hello"))), { code: "invalid_pdf" });
  await t.rejects(pool.inspectUpload(save("empty.pdf", Buffer.alloc(0))), { code: "invalid_pdf" });
});

t.test("every value that does not fit is named at once", async (t) => {
  await t.resolves(pool.checkValues([textValue("Ada")]));
  const long = { ...textValue("long ".repeat(300)), path: "fields[0].value" };
  const strange = { ...textValue("\u{10ffff}"), path: "fields[1].value" };
  await t.rejects(pool.checkValues([long, textValue("fine"), strange]), {
    code: "validation_failed",
    details: [{ path: "fields[0].value" }, { path: "fields[1].value" }],
  });
});
