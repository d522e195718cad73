import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { callApi, openApiAccount } from "../support/api-account.ts";
import { makePdf } from "../support/make-pdf.ts";
import { rawPdf } from "../support/raw-pdf.ts";
import { ownFolder } from "../support/start-servers.ts";
import { startSystem } from "../support/start-system.ts";

const path = "/api/v1/signature-requests";
const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const place = { page: 1, x: 50, y: 50, width: 200, height: 40 };
const html = `<script>alert(1)</script>"'&`;

t.test("what is no signature request", async (t) => {
  const system = await startSystem(t, { run: ["gateway", "signing"] });
  const { call } = await openApiAccount(t, system);
  const pdf_base64 = Buffer.from(await makePdf()).toString("base64");
  const fine = { title: "Lease", pdf_base64, signers: [ada] };
  const withField = (field: object) => ({
    ...fine,
    signers: [{ ...ada, fields: [{ type: "text", ...place, ...field }] }],
  });

  t.test("is refused with the path of every fault", async (t) => {
    const people = (count: number) => Array.from({ length: count }, () => ada);
    const table: [what: string, body: object, paths: string[]][] = [
      ["nothing at all", {}, ["title", "signers", "pdf_base64"]],
      [
        "a title and names of blanks",
        { ...fine, title: " ", signers: [{ ...ada, name: "\t" }] },
        ["title", "signers[0].name"],
      ],
      ["a title of two lines", { ...fine, title: "a\nb" }, ["title"]],
      ["half a character", { ...fine, title: "a\ud800" }, ["title"]],
      ["no signer", { ...fine, signers: [] }, ["signers"]],
      ["51 signers", { ...fine, signers: people(51) }, ["signers"]],
      [
        "501 fields",
        {
          ...fine,
          signers: people(3).map((one) => ({ ...one, fields: Array(167).fill({ type: "text", ...place }) })),
        },
        ["signers"],
      ],
      ["bad e-mail", { ...fine, signers: [{ ...ada, email: "ada@" }] }, ["signers[0].email"]],
      [
        "a line break in an e-mail",
        { ...fine, signers: [{ ...ada, email: "a@b.example\r\nBcc: x@y.example" }] },
        ["signers[0].email"],
      ],
      ["0 days", { ...fine, expires_in_days: 0 }, ["expires_in_days"]],
      ["31 days", { ...fine, expires_in_days: 31 }, ["expires_in_days"]],
      ["17 KB of metadata", { ...fine, metadata: { a: "x".repeat(17 * 1024) } }, ["metadata"]],
      ["metadata that is a list", { ...fine, metadata: [1] }, ["metadata"]],
      ["a tag of 51 characters", { ...fine, webhook_tag: "a".repeat(51) }, ["webhook_tag"]],
      ["a tag with a blank", { ...fine, webhook_tag: "a b" }, ["webhook_tag"]],
      ["an unknown type of field", withField({ type: "stamp" }), ["signers[0].fields[0].type"]],
      ["page 0", withField({ page: 0 }), ["signers[0].fields[0].page"]],
      ["no such page", withField({ page: 2 }), ["signers[0].fields[0]"]],
      ["a box off the page", withField({ x: 500 }), ["signers[0].fields[0]"]],
      [
        "a name that no font has",
        { ...fine, signers: [{ ...ada, name: "\u{1F9D1}\u{102A0}\u{E0001}" }] },
        ["signers[0].name"],
      ],
      [
        "a name too long for its field",
        {
          ...fine,
          signers: [
            {
              name: "Ada ".repeat(60).trim(),
              email: ada.email,
              fields: [{ type: "name", ...place, width: 10, height: 5 }],
            },
          ],
        },
        ["signers[0].fields[0]"],
      ],
      ["both ways of giving the PDF", { ...fine, pdf_url: "https://example.com/a.pdf" }, ["pdf_url"]],
    ];
    for (const [what, body, paths] of table) {
      const answer = await call("POST", path, body);
      t.equal(answer.status, 422, what);
      t.equal(answer.body.error.code, "validation_failed", what);
      t.same(
        (answer.body.error.details ?? []).map((detail: { path: string }) => detail.path),
        paths,
        what,
      );
    }
    const { body } = await call("POST", path, withField({ x: 500 }));
    t.match(body.error.details[0].message, "595 × 842", "the page's size is told");
  });

  t.test("is refused for its PDF with the reason", async (t) => {
    for (const [code, bytes] of await badPdfs(t)) {
      const answer = await call("POST", path, { ...fine, pdf_base64: bytes.toString("base64") });
      t.match(answer, { status: 422, body: { error: { code } } }, code);
    }
  });

  t.test("leaves nothing in the list", async (t) => {
    t.equal((await call("GET", path)).body.data.pagination.total, 0);
    t.equal((await call("GET", `${path}?status=done`)).status, 422);
    t.equal((await call("GET", `${path}?per_page=101`)).status, 422);
    for (const id of ["sr_1", "sr_01m7yxr10k58vjy0gv8x5nk4a0", "..%2f..%2fetc"]) {
      t.equal((await call("GET", `${path}/${id}`)).status, 404);
    }
  });

  t.test("may also come as a form, as the file itself, and with strangers' words", async (t) => {
    const form = new FormData();
    form.set("file", new Blob([Buffer.from(pdf_base64, "base64")], { type: "application/pdf" }), "a.pdf");
    form.set("title", html);
    form.set("signers", JSON.stringify([{ ...ada, name: html }]));
    form.set("expires_in_days", "30");
    const { key } = await openApiAccount(t, system);
    const answer = await callApi(system.baseUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    t.equal(answer.status, 201);
    t.equal(answer.body.data.title, html);
    t.equal(answer.body.data.signers[0].name, html);
  });

  t.test("is known by its link alone", async (t) => {
    const { body } = await call("POST", path, withField({ height: 10, width: 60 }));
    const [signer] = body.data.signers;
    const link = system.baseUrl + new URL(signer.sign_url).pathname;
    const post = (url: string, sent: object) =>
      callApi(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(sent),
      });
    const last = link.at(-1) === "A" ? "B" : "A";
    for (const wrong of [link.slice(0, -1) + last, `${link}A`, `${system.baseUrl}/sign/x`]) {
      t.equal((await callApi(wrong)).status, 200, "the page tells kindly that it does not know the link");
      t.equal((await callApi(`${wrong}/request`)).status, 404);
      t.equal((await post(`${wrong}/open`, {})).status, 404);
    }
    const tooLong = { consent: true, fields: [{ id: "field_1", value: "word ".repeat(200) }] };
    const answer = await post(`${link}/complete`, tooLong);
    t.match(answer, { status: 422, body: { error: { details: [{ path: "fields[0].value" }] } } });
    t.equal((await post(`${link}/complete`, { ...tooLong, consent: false })).status, 422);
    await call("POST", `${path}/${body.data.id}/cancel`);
    const late = await post(`${link}/complete`, { consent: true, fields: [{ id: "field_1", value: "a" }] });
    t.match(late, { status: 409, body: { error: { code: "invalid_state" } } });
    t.match((await callApi(`${link}/request`)).body.data, {
      status: "cancelled",
      can_sign: false,
      fields: [],
    });
    t.equal((await callApi(`${link}/document`)).status, 409);
  });
});

async function badPdfs(t: Test): Promise<[code: string, bytes: Buffer][]> {
  const folder = await ownFolder(t);
  const [plain, locked] = [join(folder, "plain.pdf"), join(folder, "locked.pdf")];
  await writeFile(plain, await makePdf());
  execFileSync("qpdf", ["--encrypt", "user", "owner", "256", "--", plain, locked]);
  const xfa = "<</Type/Catalog/Pages 2 0 R/NeedsRendering true/AcroForm<</Fields[]/XFA 3 0 R>>>>";
  const pages = "<</Type/Pages/Kids[4 0 R]/Count 1>>";
  const template = "<xdp:xdp><template><subform/></template></xdp:xdp>";
  const stream = `<</Length ${template.length}>>stream\n${template}\nendstream`;
  const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>";
  return [
    ["encrypted_pdf", await readFile(locked)],
    ["signed_pdf", Buffer.from(await makePdf({ signedLooking: true }))],
    ["unsupported_pdf", rawPdf([xfa, pages, stream, page])],
    ["invalid_pdf", rawPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"])],
    ["invalid_pdf", Buffer.from("This is no PDF at all.")],
    ["invalid_pdf", Buffer.from(await makePdf()).subarray(0, 200)],
  ];
}
