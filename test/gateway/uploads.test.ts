import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import { type ApiAccount, openApiAccount } from "../support/api-account.ts";
import { startSystem, type TestSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

const compress = "/api/v1/pdf/compress";
const megabyte = 1024 * 1024;
const formHead = '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';
const later = { prefer: "respond-async" };

t.test("uploads", async (t) => {
  const system = await startSystem(t, { run: ["gateway"] });
  const account = await openApiAccount(t, system);
  const post = (path: string, type: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(system.baseUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": type, ...later, ...headers },
      body,
    });
  const blobs = () => filesBelow(join(system.dataDir, "blobs"));

  t.test("JSON, a form and the bare file ask for the same thing", async (t) => {
    const file = Buffer.from("%PDF-1.7 the same in all three");
    const once = { "idempotency-key": "three forms" };
    const json = JSON.stringify({ level: "low", pdf_base64: file.toString("base64") });
    const first = await post(compress, "application/json", json, once);
    t.equal(first.status, 202);

    const form = new FormData();
    form.set("any_name", new Blob([file]), "a.pdf");
    form.set("level", "low");
    const multipart = await fetch(system.baseUrl + compress, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, ...later, ...once },
      body: form,
    });
    const raw = await post(`${compress}?level=low`, "application/pdf", file, once);
    const { data } = await first.json();
    for (const again of [multipart, raw]) {
      t.equal(again.headers.get("idempotent-replayed"), "true");
      t.same((await again.json()).data, data);
    }
  });

  t.test("a form's files keep their order, and its fields their types", async (t) => {
    const form = new FormData();
    for (const name of ["one", "two"]) form.append("files", new Blob([`%PDF-1.4 ${name}`]), `${name}.pdf`);
    form.set("page_size", "A4");
    const send = (path: string, body: FormData) =>
      fetch(system.baseUrl + path, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, ...later },
        body,
      });
    t.equal((await send("/api/v1/pdf/merge", form)).status, 202);
    const split = new FormData();
    split.set("file", new Blob(["%PDF-1.4"]), "a.pdf");
    split.set("mode", "range");
    split.set("options", '{"pages": [[1, 2], [3]]}');
    t.equal((await send("/api/v1/pdf/split", split)).status, 202);
    split.append("file", new Blob(["%PDF-1.4"]), "b.pdf");
    t.match(await (await send("/api/v1/pdf/split", split)).json(), { error: { code: "validation_failed" } });
  });

  t.test("nothing stays of a body that is refused or cut off", async (t) => {
    const before = await blobs();
    const half = '{"level":"low","pdf_base64":"JVBERi0xLjcK';
    for (const [type, body, code] of [
      ["application/json", half, "invalid_json"],
      ["application/json", `${half}"} x`, "invalid_json"],
      ["application/json", `${half}","level":"high"}`, "invalid_json"],
      ["application/json", `${half}===="}`, "validation_failed"],
      ["application/json", `${half}","level2":1,"webhook_secret":"short"}`, "validation_failed"],
      ["multipart/form-data; boundary=b", `${formHead}%PDF`, "invalid_json"],
      ["multipart/form-data", "no boundary", "unsupported_media_type"],
      ["application/pdf?level=best", "", "unsupported_media_type"],
    ] as const) {
      const answer = await post(compress, type, body);
      t.equal((await answer.json()).error.code, code, `${type} ${body}`);
    }
    t.same(await blobs(), before);
  });

  t.test("a client that leaves in the middle of its upload leaves nothing behind", async (t) => {
    const before = await blobs();
    const call = openUpload(system, account, "application/json");
    call.on("error", () => undefined);
    call.write(`{"pdf_base64":"${"A".repeat(4 * megabyte)}`);
    await until("the upload has begun", async () => ((await blobs()).length > before.length ? true : null));
    call.destroy();
    await until(
      "nothing is left",
      async () => ((await blobs()).length === before.length ? true : null),
      10_000,
    );
    t.same(await blobs(), before);
  });

  t.test("101 MB are refused while they come, in each form, and the client can read why", async (t) => {
    const before = await blobs();
    const base64 = Buffer.alloc(megabyte, "A");
    const bytes = Buffer.alloc(megabyte);
    for (const [type, head, piece, count] of [
      ["application/json", '{"pdf_base64":"', base64, 136],
      ["multipart/form-data; boundary=b", formHead, bytes, 101],
      ["application/pdf", "", bytes, 101],
    ] as const) {
      const call = openUpload(system, account, type);
      const answered = once(call, "response");
      call.write(head);
      for (let sent = 0; sent < count; sent++) if (!call.write(piece)) await once(call, "drain");
      call.end();
      const [response] = await answered;
      t.equal(response.statusCode, 413, type);
      const chunks = await response.toArray();
      t.equal(JSON.parse(Buffer.concat(chunks).toString()).error.code, "file_too_large");
    }
    t.same(await blobs(), before);
  });

  t.test("a body that announces more than twenty files need is refused unread", async (t) => {
    const call = openUpload(system, account, "application/json", {
      "content-length": String(3000 * megabyte),
    });
    call.on("error", () => undefined);
    call.flushHeaders();
    const [response] = await once(call, "response");
    t.equal(response.statusCode, 413);
    t.match(JSON.parse(Buffer.concat(await response.toArray()).toString()), {
      error: { code: "body_too_large" },
    });
    call.destroy();
  });

  t.test("the files of a merge are fetched side by side, and the one that fails is named", async (t) => {
    const before = await blobs();
    const remote = await serveAllAtOnce(t, 20);
    const urls = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ pdf_url: `${remote}/${index}` }));
    const merged = await account.call("POST", "/api/v1/pdf/merge", { files: urls(20) }, later);
    t.equal(merged.status, 202);
    t.equal((await blobs()).length, before.length + 20);

    const files = [...urls(3), { pdf_url: `${remote}/missing` }, { pdf_url: `${remote}/inside` }];
    const failed = await account.call("POST", "/api/v1/pdf/merge", { files: files.slice(0, 4) }, later);
    t.match(failed.body.error, { code: "download_failed", message: /files\[3\].*404/ });
    const inside = await account.call("POST", "/api/v1/pdf/merge", { files: files.slice(4) }, later);
    t.match(inside.body.error, { code: "url_not_allowed", details: [{ path: "files[0].pdf_url" }] });
    t.equal((await blobs()).length, before.length + 20);
  });
});

function openUpload(
  system: TestSystem,
  account: ApiAccount,
  type: string,
  headers: Record<string, string> = {},
) {
  return request(system.baseUrl + compress, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": type, ...later, ...headers },
  });
}

/** Answers nobody before `count` have asked; afterwards everybody at once. */
async function serveAllAtOnce(t: Test, count: number): Promise<string> {
  let asked = 0;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = createServer(async (incoming, response) => {
    if (incoming.url === "/missing") return response.writeHead(404).end();
    if (incoming.url === "/inside") return response.writeHead(302, { location: "http://10.0.0.1/" }).end();
    if (++asked === count) open();
    await all;
    response.end(`%PDF-1.4 ${incoming.url}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
