/**
 * Sealing against the bounds of the project: ten signers with five fields each on a hundred pages, and the largest
 * upload there may be. There is no peer in this run; the bounds are stated in the table.
 */
import { execFileSync } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, PDFName, PDFRawStream } from "pdf-lib";
import { makeCertificate } from "../../signing/seal/make-certificate.ts";
import type { PlacedValue } from "../../signing/seal/placed-value.ts";
import { createSealPool } from "../../signing/seal/seal-pool.ts";
import { auditOf, drawnSvg, inkValue, textValue } from "../signing/seal/sealing-room.ts";

const rounds = 9;
const folder = mkdtempSync(join(tmpdir(), "bench-seal-"));
const pool = createSealPool({ key: makeCertificate("Bench", new Date()), timestamp: null, threads: 1 });
type Row = { what: string; measured: string; bound: string };
const rows: Row[] = [];
try {
  // First, so that the peak is of this alone: a service that has just started, one seal at a time.
  const largest = join(folder, "largest.pdf");
  execFileSync(process.execPath, [join(import.meta.dirname, "bench-pdf.ts"), "photos", largest, "99.9"]);
  rows.push({ what: "100 MB, ms", ...(await seal(largest, fieldsOf(0), 3)), bound: "≤ 5000" });
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  rows.push({ what: "peak memory of the whole process, MB", measured: String(peak), bound: "≤ 400" });
  rows.push({ what: "inspecting the 100 MB, ms", ...(await inspect(largest)), bound: "" });
  const contract = join(folder, "contract.pdf");
  writeFileSync(contract, await hundredPages(5 * 2 ** 20));
  const values = Array.from({ length: 10 }, (_, signer) => fieldsOf(signer)).flat();
  const what = "10 signers × 5 fields, 100 pages, 5 MB, ms";
  rows.push({ what, ...(await seal(contract, values, rounds)), bound: "≤ 400" });
  rows.push({ what: "inspecting the same upload, ms", ...(await inspect(contract)), bound: "" });
  console.table(rows);
} finally {
  await pool.close();
  rmSync(folder, { recursive: true });
}

/** Pages of text over a picture that nothing compresses. */
async function hundredPages(bytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  for (let index = 0; index < 100; index += 1) {
    const page = document.addPage([595, 842]);
    const data = randomFillSync(new Uint8Array(bytes / 100));
    const entries = { Type: "XObject", Subtype: "Image", Width: 200, Height: 150, ColorSpace: "DeviceRGB" };
    const dict = context.obj({ ...entries, BitsPerComponent: 8, Filter: "DCTDecode", Length: data.length });
    page.node.setXObject(PDFName.of("Photo"), context.register(PDFRawStream.of(dict, data)));
  }
  return document.save();
}

function fieldsOf(signer: number): PlacedValue[] {
  const page = signer * 10 + 1;
  const hands = ["caveat", "dancing-script", "great-vibes"] as const;
  const name = ["Ada Łovelace", "Жанна Щукина", "محمد علي", "山田太郎", "김철수"][signer % 5] ?? "";
  const typed = { kind: "typed" as const, text: "Ada Lovelace", font: hands[signer % 3] ?? hands[0] };
  return [
    inkValue(signer % 2 === 0 ? { kind: "drawn", svg: drawnSvg } : typed, { page }),
    inkValue({ kind: "typed", text: "AL", font: "caveat" }, { page, y: 200, width: 60 }, "initials"),
    textValue(name, { page, y: 260 }),
    textValue("2026-11-21", { page, y: 320 }),
    inkValue({ kind: "checkbox", checked: true }, { page, y: 380, width: 14, height: 14 }, "checkbox"),
  ];
}

async function seal(
  sourcePath: string,
  values: readonly PlacedValue[],
  times: number,
): Promise<Pick<Row, "measured">> {
  const documentSha256 = await sha256Of(sourcePath);
  const order = {
    requestId: "sr_01kak3x0c8z5v2q7m4n6p8r9st",
    title: "Bench",
    sourcePath,
    documentSha256,
    outputPath: join(folder, "sealed.pdf"),
    values,
    audit: auditOf(documentSha256, values),
    sealedAt: "2026-11-21T10:05:00.000Z",
    appendAuditPage: false,
  };
  return timed(() => pool.seal(order), times);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

function inspect(path: string): Promise<Pick<Row, "measured">> {
  return timed(() => pool.inspectUpload(path), 3);
}

/** The first time apart: fonts are read then. */
async function timed(work: () => Promise<unknown>, times: number): Promise<Pick<Row, "measured">> {
  const spent: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await work();
    spent.push(Math.round(performance.now() - start));
  }
  const median = spent.toSorted((one, other) => one - other)[Math.floor(times / 2)];
  return { measured: `${median} (first ${spent[0]}, worst ${Math.max(...spent)})` };
}
