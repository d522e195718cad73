import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { makePages, makePdf } from "../../support/make-pdf.ts";
import { attachmentsOf, faultsOf, fieldsOf, plainBytesOf, textOf } from "../../support/pdf-witness.ts";
import { drawnSvg, inkValue, openSealingRoom, type Sealed, textValue } from "./sealing-room.ts";

const room = await openSealingRoom(t);

function pdfsig(path: string): string {
  return spawnSync("pdfsig", ["-nocert", path], { encoding: "utf8" }).stdout;
}

/** What openssl says of the CMS over the bytes that the ByteRange names. */
function opensslCades({ bytes }: Sealed) {
  const text = bytes.toString("latin1");
  const range =
    text
      .match(/\/ByteRange \[([^\]]+)\]/)?.[1]
      ?.trim()
      .split(/\s+/)
      .map(Number) ?? [];
  const [, length = 0, second = 0, secondLength = 0] = range;
  const content = join(room.folder, "content");
  const signature = join(room.folder, "signature.der");
  writeFileSync(
    content,
    Buffer.concat([bytes.subarray(0, length), bytes.subarray(second, second + secondLength)]),
  );
  const hex = text.slice(length + 1, second - 1);
  const der = Buffer.from(hex, "hex");
  writeFileSync(signature, der.subarray(0, 4 + der.readUInt16BE(2)));
  const args = [
    "cms",
    "-verify",
    "-cades",
    "-binary",
    "-inform",
    "DER",
    "-in",
    signature,
    "-content",
    content,
  ];
  return spawnSync(
    "openssl",
    [...args, "-CAfile", room.certificatePath, "-purpose", "any", "-out", "/dev/null"],
    {
      encoding: "utf8",
    },
  );
}

t.test("a sealed document", async (t) => {
  const source = await makePages(3);
  const values = [
    textValue("Łukasz Żółć"),
    inkValue({ kind: "typed", text: "Ada Lovelace", font: "caveat" }, { page: 2 }),
    inkValue({ kind: "drawn", svg: drawnSvg }, { page: 3 }),
    inkValue({ kind: "checkbox", checked: true }, { y: 300, width: 12, height: 12 }, "checkbox"),
  ];
  const sealed = await room.seal(source, values);

  t.test("has one valid signature over the whole file, as pdfsig sees it", async (t) => {
    const told = pdfsig(sealed.path);
    t.match(told, /Signature is Valid/);
    t.match(told, /Total document signed/);
    t.match(told, /ETSI\.CAdES\.detached/);
    t.match(told, /SHA-256/);
    t.match(told, /Signing Time: Nov 21 2026 10:05:00/);
    t.notMatch(told, /Signature #2/);
    t.equal(sealed.padesLevel, "B-B");
  });

  t.test("satisfies openssl's CAdES check", async (t) => {
    const { status, stderr } = opensslCades(sealed);
    t.match(stderr, /CAdES Verification successful/);
    t.equal(status, 0);
  });

  t.test("begins with the original's bytes, and its hash is what was told", async (t) => {
    t.equal(sealed.base, "original");
    t.ok(sealed.bytes.subarray(0, source.length).equals(source));
    t.equal(sealed.sha256, createHash("sha256").update(sealed.bytes).digest("hex"));
    t.equal(sealed.size, sealed.bytes.length);
  });

  t.test("is sound, permits no change, and says its values in text", async (t) => {
    t.equal(faultsOf(sealed.path), "");
    t.match(plainBytesOf(sealed.path), /\/TransformMethod \/DocMDP/);
    t.match(textOf(sealed.path, 1), /Page 1.*Łukasz Żółć/);
    t.match(textOf(sealed.path, 2), /Page 2.*Ada Lovelace/);
    t.same(attachmentsOf(sealed.path), ["audit.json"]);
  });

  t.test("has the same content when it is sealed again, all but the signature itself", async (t) => {
    const again = await room.seal(source, values);
    const differ = [...sealed.bytes.entries()]
      .filter(([at, byte]) => again.bytes[at] !== byte)
      .map(([at]) => at);
    const contents = sealed.bytes.indexOf("/Contents <30", source.length, "latin1");
    t.equal(again.size, sealed.size);
    t.ok(differ.every((at) => at > contents && at < sealed.bytes.indexOf(">", contents, "latin1")));
  });

  t.test("is void for pdfsig once a byte is changed", async (t) => {
    const forged = Buffer.from(sealed.bytes);
    forged[100] = (forged[100] ?? 0) ^ 1;
    const path = join(room.folder, "forged.pdf");
    writeFileSync(path, forged);
    t.match(pdfsig(path), /Digest Mismatch/);
  });
});

t.test("what was in the document stays there", async (t) => {
  const source = await makePdf({
    pages: [{ text: "Form" }],
    fields: [
      { kind: "text", name: "company", value: "Analytical Engines" },
      { kind: "checkbox", name: "agreed", value: "yes" },
      { kind: "signature", name: "Seal 1" },
    ],
    attachments: [{ name: "audit.json", data: Buffer.from("mine") }],
  });
  const sealed = await room.seal(source, [textValue("Ada")]);
  t.match(pdfsig(sealed.path), /Signature is Valid/);
  const fields = fieldsOf(sealed.path);
  t.equal(fields.find(({ name }) => name === "company")?.value, "Analytical Engines");
  t.equal(fields.find(({ name }) => name === "agreed")?.value, "/Yes");
  t.same(fields.map(({ name }) => name).sort(), ["Seal 1", "Seal 2", "agreed", "company"]);
  t.same(attachmentsOf(sealed.path).sort(), ["audit-2.json", "audit.json"]);
  t.equal(faultsOf(sealed.path), "");
});

t.test("a file with a classic cross-reference table gets another one", async (t) => {
  const sealed = await room.seal(await makePages(2, { objectStreams: false }), [
    textValue("Ada", { page: 2 }),
  ]);
  t.match(pdfsig(sealed.path), /Signature is Valid/);
  t.equal(faultsOf(sealed.path), "");
  t.match(textOf(sealed.path, 2), /Ada/);
});

t.test("a damaged file is repaired first, and that is told", async (t) => {
  const source = Buffer.from(await makePages(2, { objectStreams: false }));
  const damaged = Buffer.from(source.toString("latin1").replace(/startxref\s+\d+/, "startxref\n7"), "latin1");
  const sealed = await room.seal(damaged, [textValue("Ada", { page: 2 })]);
  t.equal(sealed.base, "repaired");
  t.match(pdfsig(sealed.path), /Signature is Valid/);
  t.match(textOf(sealed.path, 2), /Page 2.*Ada/);
});

t.test("an encrypted file that opens without a password is sealed decrypted", async (t) => {
  const plain = join(room.folder, "plain.pdf");
  const locked = join(room.folder, "locked.pdf");
  writeFileSync(plain, await makePages(1));
  execFileSync("qpdf", ["--encrypt", "", "owner", "256", "--", plain, locked]);
  const sealed = await room.seal(readFileSync(locked), [textValue("Ada")]);
  t.equal(sealed.base, "repaired");
  t.match(pdfsig(sealed.path), /Signature is Valid/);
  t.match(textOf(sealed.path), /Page 1.*Ada/);
});

t.test("the audit trail becomes pages where that is asked for", async (t) => {
  const sealed = await room.seal(await makePages(1), [], { appendAuditPage: true, title: "Agreement 👩‍🚀" });
  t.match(
    textOf(sealed.path, 2),
    /Audit trail Agreement \[U\+1F469\].*3\. Signed 2026-11-21 10:00:00 By Ada Lovelace/,
  );
  t.equal(faultsOf(sealed.path), "");
  t.match(pdfsig(sealed.path), /Signature is Valid/);
});

t.test("bytes that are not the signed ones are never sealed", async (t) => {
  await t.rejects(
    room.seal(await makePages(1), [], { documentSha256: "0".repeat(64) }),
    /not the one that was signed/,
  );
});
