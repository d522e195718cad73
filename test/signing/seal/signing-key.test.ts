import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { certificatePem, loadSigningKey } from "../../../signing/seal/signing-key.ts";
import { makePdf } from "../../support/make-pdf.ts";
import { openSealingRoom } from "./sealing-room.ts";

const folder = mkdtempSync(join(tmpdir(), "signing-key-"));
t.teardown(() => rmSync(folder, { recursive: true }));

t.test("the first start makes a key that every later one finds", async (t) => {
  const source = { folder: join(folder, "new"), commonName: "Example Ltd" };
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSigningKey(source)));
  const again = await loadSigningKey(source);
  for (const key of keys) t.same(key, again, "also when several processes start at once");
  t.same(readdirSync(source.folder), ["signing-key.pem"]);
  t.equal(statSync(join(source.folder, "signing-key.pem")).mode & 0o777, 0o600);
  const certificate = new X509Certificate(certificatePem(again));
  t.equal(certificate.subject, "CN=Example Ltd");
  t.notOk(certificate.ca);
  t.ok(certificate.verify(certificate.publicKey));
});

function openssl(...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
}

/** A key with a chain of two, as a certification authority hands it out. */
function makeP12(algorithm: readonly string[], name: string, encryption: readonly string[]): string {
  const newKey = ["-newkey", ...algorithm, "-nodes"];
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=Root",
    "-days",
    "2",
  );
  openssl("req", ...newKey, "-keyout", "own.key", "-out", "own.csr", "-subj", `/CN=${name}`);
  const sign = ["x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
  openssl(...sign, "-out", "own.pem", "-days", "2");
  const chain = ["-in", "own.pem", "-inkey", "own.key", "-certfile", "ca.pem"];
  openssl("pkcs12", "-export", ...chain, "-out", `${name}.p12`, "-passout", "pass:secret", ...encryption);
  return join(folder, `${name}.p12`);
}

t.test("a key from a certification authority is used with its chain", async (t) => {
  const room = await openSealingRoom(t);
  const elliptic = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  const old = ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"];
  const cases: [string, string][] = [
    ["RSA", makeP12(["rsa:2048"], "Rsa", [])],
    ["elliptic curve", makeP12(elliptic, "Elliptic", [])],
    ["old encryption", makeP12(["rsa:2048"], "Old", old)],
  ];
  for (const [what, p12Path] of cases) {
    const key = await loadSigningKey({ p12Path, p12Password: "secret", folder, commonName: "unused" });
    const subjects = key.certificates.map((der) => new X509Certificate(der).subject);
    t.same(subjects.length, 2, what);
    t.equal(subjects[1], "CN=Root", `${what}: the chain after the own certificate`);
    const sealed = await room.seal(await makePdf(), [], {}, { ...room.tools, key });
    const told = execFileSync("pdfsig", ["-nocert", sealed.path], { encoding: "utf8" });
    t.match(told, /Signature is Valid/, what);
  }
});

t.test("what cannot be used as a key is told with the variable's name", async (t) => {
  const p12Path = makeP12(["rsa:2048"], "Locked", []);
  const load = (password: string, path = p12Path) =>
    loadSigningKey({ p12Path: path, p12Password: password, folder, commonName: "unused" });
  await t.rejects(load("wrong"), /SIGNING_P12.*SIGNING_P12_PASSWORD/);
  await t.rejects(load("secret", join(folder, "own.pem")), /SIGNING_P12/);
});
