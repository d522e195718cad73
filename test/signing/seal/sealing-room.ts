/** What a test of sealing needs: a key, fonts, a folder, and orders that are right but for what the test is about. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import { type AuditEntry, appendEntry } from "../../../signing/seal/audit-chain.ts";
import type { FieldBox } from "../../../signing/seal/place-field.ts";
import type { PlacedValue } from "../../../signing/seal/placed-value.ts";
import type { SealedPdf, SealOrder } from "../../../signing/seal/seal-order.ts";
import { type SealingTools, sealPdf } from "../../../signing/seal/seal-pdf.ts";
import { signedDetails } from "../../../signing/seal/signature-hash.ts";
import { certificatePem, loadSigningKey } from "../../../signing/seal/signing-key.ts";
import { openFontShelf } from "../../../signing/seal/text/font-shelf.ts";
import { createSubsetter } from "../../../signing/seal/text/subset-font.ts";
import { createTypesetter } from "../../../signing/seal/text/typesetter.ts";

export type SealingRoom = {
  folder: string;
  tools: SealingTools;
  /** The path of the sealing certificate, PEM. */
  certificatePath: string;
  seal: (
    source: Uint8Array,
    values?: readonly PlacedValue[],
    wishes?: Partial<SealOrder>,
    tools?: SealingTools,
  ) => Promise<Sealed>;
};

export type Sealed = SealedPdf & { path: string; bytes: Buffer };

export async function openSealingRoom(t: Test): Promise<SealingRoom> {
  const folder = mkdtempSync(join(tmpdir(), "sealing-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const shelf = openFontShelf();
  const key = await loadSigningKey({ folder: join(folder, "key"), commonName: "Test Seal" });
  const typography = { shelf, setLine: createTypesetter(shelf) };
  const tools: SealingTools = { key, timestamp: null, typography, subset: createSubsetter() };
  const certificatePath = join(folder, "certificate.pem");
  writeFileSync(certificatePath, certificatePem(key));
  let count = 0;
  const seal: SealingRoom["seal"] = async (source, values = [], wishes = {}, own = tools) => {
    count += 1;
    const sourcePath = join(folder, `source-${count}.pdf`);
    const outputPath = join(folder, `sealed-${count}.pdf`);
    writeFileSync(sourcePath, source);
    const documentSha256 = createHash("sha256").update(source).digest("hex");
    const order: SealOrder = {
      requestId: "sr_01kak3x0c8z5v2q7m4n6p8r9st",
      title: "Agreement",
      sourcePath,
      documentSha256,
      outputPath,
      values,
      audit: auditOf(documentSha256, values),
      sealedAt: "2026-11-21T10:05:00.000Z",
      appendAuditPage: false,
      ...wishes,
    };
    const sealed = await sealPdf(order, own);
    return { ...sealed, path: outputPath, bytes: readFileSync(outputPath) };
  };
  return { folder, tools, certificatePath, seal };
}

export const ada = {
  id: "sgn_01kak3x0c8z5v2q7m4n6p8r9st",
  name: "Ada Lovelace",
  email: "ada@example.com",
  order: 1,
};

/** A short but whole trail: created, opened, signed. */
export function auditOf(documentSha256: string, values: readonly PlacedValue[] = []): AuditEntry[] {
  const witness = { ip: "203.0.113.7", userAgent: "Test/1.0", documentSha256 };
  const at = "2026-11-21T10:00:00.000Z";
  const created = appendEntry(null, { kind: "created", at, actor: "API key Test", ...witness, details: {} });
  const opened = appendEntry(created, { kind: "opened", at, actor: ada.name, ...witness, details: {} });
  const facts = { documentSha256, signer: ada, values, signedAt: at, previousHash: opened.hash };
  const details = signedDetails(facts);
  return [created, opened, appendEntry(opened, { kind: "signed", at, actor: ada.name, ...witness, details })];
}

let fields = 0;

export function textValue(text: string, box: Partial<FieldBox> = {}): PlacedValue {
  return inkValue({ kind: "text", text }, box, "text");
}

export function inkValue(
  ink: PlacedValue["ink"],
  box: Partial<FieldBox> = {},
  type: PlacedValue["type"] = "signature",
): PlacedValue {
  fields += 1;
  return {
    fieldId: `f${fields}`,
    type,
    ink,
    box: { page: 1, x: 50, y: 100, width: 200, height: 40, ...box },
  };
}

/** What signature_pad's toSVG() gives for a stroke and a dot. */
export const drawnSvg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 150" width="300" height="150"><path d="M 10.000,60.000 C 40.000,10.000 80.000,120.000 120.000,60.000" stroke-width="2.250" stroke="black" fill="none" stroke-linecap="round"></path><path d="M 120.000,60.000 C 150.000,20.000 200.000,90.000 260.000,30.000" stroke-width="3.100" stroke="black" fill="none" stroke-linecap="round"></path><circle r="2" cx="270" cy="30" fill="black"></circle></svg>`;
