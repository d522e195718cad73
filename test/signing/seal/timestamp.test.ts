import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { TimestampPolicy } from "../../../signing/seal/seal-order.ts";
import { verifySeal } from "../../../signing/seal/verify-seal.ts";
import { makePdf } from "../../support/make-pdf.ts";
import { faultsOf } from "../../support/pdf-witness.ts";
import { openSealingRoom } from "./sealing-room.ts";

/** openssl as a timestamp authority of the test's own. */
function createAuthority(folder: string): (query: Buffer) => Buffer {
  mkdirSync(folder);
  const at = (name: string) => join(folder, name);
  const config = `
[req]
distinguished_name = dn
x509_extensions = ext
prompt = no
[dn]
CN = Test Clock
[ext]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = own
[own]
serial = ${at("serial")}
crypto_device = builtin
signer_cert = ${at("cert.pem")}
signer_key = ${at("key.pem")}
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;
  writeFileSync(at("tsa.cnf"), config);
  writeFileSync(at("serial"), "01\n");
  const make = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
  ];
  execFileSync(
    "openssl",
    [...make, "-keyout", at("key.pem"), "-out", at("cert.pem"), "-config", at("tsa.cnf")],
    {
      stdio: "ignore",
    },
  );
  return (query) => {
    writeFileSync(at("query.tsq"), query);
    const reply = [
      "ts",
      "-reply",
      "-queryfile",
      at("query.tsq"),
      "-config",
      at("tsa.cnf"),
      "-out",
      at("reply.tsr"),
    ];
    execFileSync("openssl", reply, { stdio: "ignore" });
    return readFileSync(at("reply.tsr"));
  };
}

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serveAnswers(t: Test, answer: (query: Buffer) => Buffer): Promise<string> {
  return serve(t, async (request, response) => {
    const query = Buffer.concat(await request.toArray());
    response.setHeader("content-type", "application/timestamp-reply").end(answer(query));
  });
}

const room = await openSealingRoom(t);
const authority = createAuthority(join(room.folder, "authority"));
const source = await makePdf();

function seal(timestamp: TimestampPolicy) {
  return room.seal(source, [], {}, { ...room.tools, timestamp });
}

t.test("a seal with a timestamp reaches PAdES B-T", async (t) => {
  const url = await serveAnswers(t, authority);
  const sealed = await seal({ url, mode: "required" });
  const { path } = sealed;
  t.equal(sealed.padesLevel, "B-T");
  t.equal(faultsOf(path), "");
  t.match(spawnSync("pdfsig", ["-nocert", path], { encoding: "utf8" }).stdout, /Signature is Valid/);
  const report = await verifySeal(path);
  t.match(report.timestampedBy, /Test Clock/);
  t.ok(Math.abs(Date.parse(report.sealedAt ?? "") - Date.now()) < 60_000, "the time is the authority's");
});

t.test("an authority that cannot be believed gives no B-T", async (t) => {
  const url = await serveAnswers(t, authority);
  const earlier = Buffer.from(
    await (await fetch(url, { method: "POST", body: new Uint8Array(otherQuery(room.folder)) })).arrayBuffer(),
  );
  const broken: [string, string][] = [
    ["down", "http://127.0.0.1:9/"],
    ["an error", await serve(t, (_, response) => response.writeHead(500).end("no"))],
    ["no token", await serveAnswers(t, () => Buffer.from("<html>"))],
    ["a token for something else", await serveAnswers(t, () => earlier)],
    ["endless", await serveAnswers(t, () => Buffer.alloc(200_000))],
  ];
  for (const [what, address] of broken) {
    const wished = await seal({ url: address, mode: "best_effort" });
    t.equal(wished.padesLevel, "B-B", `${what}: the level is told as it is`);
    t.type(wished.timestampFault, "string");
    await t.rejects(seal({ url: address, mode: "required" }), { code: "unavailable" }, what);
  }
});

function otherQuery(folder: string): Buffer {
  const path = join(folder, "other.tsq");
  execFileSync("openssl", ["ts", "-query", "-digest", "ab".repeat(32), "-sha256", "-cert", "-out", path], {
    stdio: "ignore",
  });
  return readFileSync(path);
}
