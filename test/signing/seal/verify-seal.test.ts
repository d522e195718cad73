import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { makeCertificate } from "../../../signing/seal/make-certificate.ts";
import { verifySeal } from "../../../signing/seal/verify-seal.ts";
import { makePdf } from "../../support/make-pdf.ts";
import { auditOf, openSealingRoom, textValue } from "./sealing-room.ts";

const room = await openSealingRoom(t);
const [own] = room.tools.key.certificates;
const values = [textValue("Ada")];
const source = await makePdf();
const sealed = await room.seal(source, values);

function save(name: string, bytes: Uint8Array): string {
  const path = join(room.folder, name);
  writeFileSync(path, bytes);
  return path;
}

function failedChecks(report: Awaited<ReturnType<typeof verifySeal>>): string[] {
  return report.checks.filter(({ passed }) => passed === false).map(({ name }) => name);
}

t.test("a sealed file proves itself from the file alone", async (t) => {
  const report = await verifySeal(sealed.path, own);
  t.equal(report.valid, true);
  t.equal(report.sealedHere, true);
  t.same(
    report.checks.map(({ name, passed }) => [name, passed]),
    [
      ["seal", true],
      ["range", true],
      ["permissions", true],
      ["chain", true],
      ["signatures", true],
      ["original", true],
    ],
  );
  t.equal(report.sha256, sealed.sha256);
  t.equal(report.sealedAt, "2026-11-21T10:05:00.000Z");
  t.equal(report.requestId, "sr_01kak3x0c8z5v2q7m4n6p8r9st");
  t.equal(report.certificate?.subject, "CN=Test Seal");
});

t.test("a changed byte anywhere breaks it", async (t) => {
  for (const at of [20, source.length - 30, source.length + 60, sealed.size - 4]) {
    const forged = Buffer.from(sealed.bytes);
    forged[at] = (forged[at] ?? 0) ^ 1;
    const report = await verifySeal(save("forged.pdf", forged)).catch((fault) => ({ valid: false, fault }));
    t.equal(report.valid, false, `at byte ${at}`);
  }
});

t.test("what is added behind the seal is noticed", async (t) => {
  const report = await verifySeal(
    save("longer.pdf", Buffer.concat([sealed.bytes, Buffer.from("\n% more\n")])),
  );
  t.equal(report.valid, false);
  t.same(failedChecks(report), ["range"]);
});

t.test("a changed audit entry is named", async (t) => {
  const plain = join(room.folder, "plain.pdf");
  execFileSync("qpdf", ["--stream-data=uncompress", "--object-streams=disable", sealed.path, plain]);
  const text = readFileSync(plain, "latin1");
  // The second entry's actor: the same length, so that the file stays sound.
  const place = text.indexOf('"Ada Lovelace"', text.indexOf('"kind": "opened"'));
  const forged = `${text.slice(0, place)}"Eve Lovelace"${text.slice(place + 14)}`;
  const report = await verifySeal(save("changed.pdf", Buffer.from(forged, "latin1")));
  t.equal(report.valid, false);
  t.equal(report.changedEntry, 2);
  t.match(report.checks.find(({ name }) => name === "chain")?.message, /Entry 2 was changed/);
});

t.test("a seal over a trail that was forged before sealing still tells", async (t) => {
  const audit = auditOf(sealed.sha256, values);
  const [created, opened, signed] = audit;
  if (!created || !opened || !signed) throw new Error("the trail is too short");
  const report = async (entries: typeof audit) =>
    verifySeal((await room.seal(source, values, { audit: entries })).path);
  t.equal((await report([created, signed])).changedEntry, 2, "a missing entry");
  t.equal((await report([created, { ...opened, ip: "10.0.0.1" }, signed])).changedEntry, 2, "a changed one");
  t.equal((await report([opened, created, signed])).changedEntry, 1, "two that changed places");
});

t.test("another service's seal is valid but not ours", async (t) => {
  const key = makeCertificate("Someone Else", new Date());
  const other = await room.seal(source, values, {}, { ...room.tools, key });
  const report = await verifySeal(other.path, own);
  t.equal(report.valid, true);
  t.equal(report.sealedHere, false);
});

t.test("a file without a seal is no sealed document", async (t) => {
  await t.rejects(verifySeal(save("unsealed.pdf", source)), { code: "invalid_pdf", message: /no seal/ });
  await t.rejects(verifySeal(save("text.pdf", Buffer.from("hello"))), { code: "invalid_pdf" });
  const signed = await makePdf({ signedLooking: true });
  await t.rejects(verifySeal(save("signed.pdf", signed)), { code: "invalid_pdf" });
});

t.test("npm run verify says it in words and in its exit code", async (t) => {
  const command = join(import.meta.dirname, "../../../signing/verify-command.ts");
  const run = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: "utf8" });
  const good = run("--certificate", room.certificatePath, sealed.path);
  t.equal(good.status, 0);
  t.match(good.stdout, /VALID/);
  t.match(good.stdout, /given certificate made the seal/);
  const bad = run(join(room.folder, "changed.pdf"));
  t.equal(bad.status, 1);
  t.match(bad.stdout, /NOT VALID[\s\S]*FAILED.*Entry 2 was changed/);
  t.equal(run(join(room.folder, "unsealed.pdf")).status, 2);
  t.equal(run(join(room.folder, "none.pdf")).status, 2);
  t.match(run().stderr, /Usage/);
  t.equal(JSON.parse(run("--json", sealed.path).stdout).valid, true);
});
