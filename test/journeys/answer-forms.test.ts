import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { openApiAccount } from "../support/api-account.ts";
import { makePages } from "../support/make-pdf.ts";
import { startSystem } from "../support/start-system.ts";

t.test("a result in the form that its caller wants", async (t) => {
  const system = await startSystem(t, { run: ["gateway", "workers"], env: { WORKER_SLOTS: "1" } });
  const account = await openApiAccount(t, system);
  const pdf_base64 = Buffer.from(await makePages(3)).toString("base64");
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    account.call("POST", path, body, headers);

  t.test("is base64 in the envelope, of the length that was announced", async (t) => {
    const { status, headers, body } = await post("/api/v1/pdf/merge", {
      files: [{ pdf_base64 }, { pdf_base64 }],
    });
    t.equal(status, 200);
    t.match(body, { success: true, data: { files_count: 2, total_pages: 6 }, request_id: /^req_/ });
    t.equal(Buffer.from(body.data.pdf_base64, "base64").length, body.data.size);
    t.equal(Number(headers.get("content-length")), JSON.stringify(body).length);
  });

  t.test("is the PDF itself, with the figures in headers", async (t) => {
    const { status, headers, body } = await post(
      "/api/v1/pdf/merge",
      { files: [{ pdf_base64 }, { pdf_base64 }] },
      { accept: "application/pdf" },
    );
    t.equal(status, 200);
    t.equal(headers.get("content-type"), "application/pdf");
    t.match(
      { files: headers.get("x-files-count"), pages: headers.get("x-total-pages") },
      { files: "2", pages: "6" },
    );
    t.equal(Number(headers.get("content-length")), body.length);
    const path = join(system.dataDir, "merged.pdf");
    await writeFile(path, body);
    t.match(execFileSync("pdfinfo", [path]).toString(), /Pages:\s+6/);
  });

  t.test("is a ZIP with the parts of a split", async (t) => {
    const { status, headers, body } = await post(
      "/api/v1/pdf/split",
      { pdf_base64 },
      { accept: "application/zip" },
    );
    t.equal(status, 200);
    t.equal(headers.get("content-type"), "application/zip");
    const path = join(system.dataDir, "parts.zip");
    await writeFile(path, body);
    const listing = execFileSync("python3", ["-m", "zipfile", "-l", path]).toString();
    for (const name of ["part_1.pdf", "part_2.pdf", "part_3.pdf"]) t.match(listing, name);
  });

  t.test("is the same again under the same idempotency key, without a second job", async (t) => {
    const once = { "idempotency-key": "again" };
    const first = await post("/api/v1/pdf/compress", { pdf_base64 }, once);
    const again = await post("/api/v1/pdf/compress", { pdf_base64 }, once);
    t.equal(first.status, 200);
    t.same(again.body.data, first.body.data);
    t.equal(again.headers.get("idempotent-replayed"), "true");
    const { body } = await account.call("GET", "/api/v1/pdf/jobs?operation=compress");
    t.equal(body.data.pagination.total, 1);
    const refused = await post(
      "/api/v1/pdf/compress",
      { pdf_base64: "bm8gUERG" },
      { "idempotency-key": "bad" },
    );
    const refusedAgain = await post(
      "/api/v1/pdf/compress",
      { pdf_base64: "bm8gUERG" },
      { "idempotency-key": "bad" },
    );
    t.equal(refused.status, 422);
    t.same(refusedAgain.body.error, refused.body.error);
  });

  t.test("is told of a PDF without a job", async (t) => {
    const { status, body } = await post("/api/v1/pdf/inspect", { pdf_base64 });
    t.equal(status, 200);
    t.match(body.data, { page_count: 3, encryption: null });
    const bad = await post("/api/v1/pdf/inspect", { pdf_base64: "bm8gUERG" });
    t.equal(bad.body.error.code, "invalid_pdf");
  });
});
