import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { callApi, openApiAccount } from "../support/api-account.ts";
import { makePdf } from "../support/make-pdf.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";
import { ownFolder } from "../support/start-servers.ts";
import { startSystem } from "../support/start-system.ts";

t.test("two people sign a lease", async (t) => {
  const smtp = await startSmtpReceiver(t);
  const system = await startSystem(t, {
    run: ["gateway", "signing"],
    env: { SMTP_URL: smtp.url, MAIL_FROM: "Müller & Söhne <sign@example.com>" },
  });
  const { call } = await openApiAccount(t, system);
  /** Links begin with the public address; here the gateway has a port of its own. */
  const link = (url: string) => system.baseUrl + new URL(url).pathname;
  const post = (url: string, body: object) =>
    callApi(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const pdf = Buffer.from(await makePdf({ pages: [{ text: "Lease" }, { text: "Signatures" }] }));
  const created = await call("POST", "/api/v1/signature-requests", {
    title: "Lease <i>of</i> 12 Elm Street",
    pdf_base64: pdf.toString("base64"),
    message: "Please sign.\nThank you & <script>alert(1)</script>",
    external_id: "Lease-118",
    metadata: { property: 118 },
    signers: [
      {
        name: "Ada Lovelace",
        email: "ada@example.com",
        fields: [
          { type: "signature", page: 2, x: 72, y: 100, width: 200, height: 50 },
          { type: "date", page: 2, x: 72, y: 160, width: 100, height: 20 },
          { type: "text", page: 2, x: 72, y: 190, width: 200, height: 20, label: "City" },
          { type: "checkbox", page: 2, x: 72, y: 220, width: 15, height: 15 },
        ],
      },
      { name: "山田太郎", email: "yamada@example.com" },
    ],
  });
  t.equal(created.status, 201);
  const { id, signers } = created.body.data;
  t.match(created.body, {
    success: true,
    request_id: /^req_/,
    data: { status: "pending", external_id: "Lease-118" },
  });
  t.same(
    signers.map((signer: { order: number }) => signer.order),
    [1, 2],
  );

  t.test("each is invited in words that run nothing", async (t) => {
    const [mail] = await smtp.mailsTo("ada@example.com");
    t.equal(mail?.subject, "Please sign: Lease <i>of</i> 12 Elm Street");
    t.equal(mail?.from?.name, "Müller & Söhne");
    t.match(mail?.html, "Please sign.<br>");
    t.match(mail?.html, "&lt;script&gt;alert(1)&lt;/script&gt;");
    t.notMatch(mail?.html, "<script");
    t.match(mail?.text, signers[0].sign_url);
    const [japanese] = await smtp.mailsTo("yamada@example.com");
    t.equal(japanese?.to?.[0]?.name, "山田太郎");
    t.match(japanese?.text, "Hello 山田太郎,");
  });

  const [ada, yamada] = signers.map((signer: { sign_url: string }) => link(signer.sign_url));
  t.test("a scanner of mails changes nothing", async (t) => {
    for (const path of ["", "/request", "/document"]) {
      const { status, headers } = await callApi(ada + path);
      t.equal(status, 200);
      t.equal(headers.get("cache-control"), "no-store");
      t.equal(headers.get("referrer-policy"), "no-referrer");
    }
    const { body } = await call("GET", `/api/v1/signature-requests/${id}`);
    t.equal(body.data.status, "pending");
  });

  t.test("the first opens and signs", async (t) => {
    const { body: view } = await callApi(`${ada}/request`);
    t.match(view.data, { can_sign: true, signer: { name: "Ada Lovelace", status: "pending" } });
    t.same((await callApi(`${ada}/document`)).body, pdf, "the document is what was uploaded");
    t.match((await post(`${ada}/open`, {})).body, { data: { request_status: "in_progress" } });
    const fields = view.data.fields as { id: string; type: string }[];
    const idOf = (type: string) => fields.find((field) => field.type === type)?.id;
    const { status, body } = await post(`${ada}/complete`, {
      consent: true,
      fields: [
        { id: idOf("text"), value: "Zürich" },
        { id: idOf("checkbox"), value: true },
      ],
      signature: { type: "typed", text: "Ada Lovelace" },
    });
    t.equal(status, 200);
    t.match(body.data, { status: "signed", signature_hash: /^[0-9a-f]{64}$/, request_status: "in_progress" });
    const early = await call("GET", `/api/v1/signature-requests/${id}/download`);
    t.match(early, { status: 409, body: { error: { code: "invalid_state" } } });
  });

  t.test("the second places the signature, and the request is completed", async (t) => {
    const { status, body } = await post(`${yamada}/complete`, {
      consent: true,
      signature: {
        type: "drawn",
        svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path d="M10,50 L290,60" stroke-width="3" stroke="black" fill="none"/></svg>',
      },
      placement: { page: 1, x: 72, y: 600, width: 150, height: 40 },
    });
    t.equal(status, 200);
    t.equal(body.data.request_status, "completed");
    const detail = await call("GET", `/api/v1/signature-requests/${id}`);
    t.match(detail.body.data, {
      status: "completed",
      completed_at: String,
      metadata: { property: 118 },
      download_url: `/api/v1/signature-requests/${id}/download`,
      certificate_url: `/api/v1/signature-requests/${id}/certificate`,
    });
  });

  t.test("the download is sealed, and says so to anyone", async (t) => {
    const { body: sealed, headers } = await call("GET", `/api/v1/signature-requests/${id}/download`);
    t.match(headers.get("content-disposition"), "filename*=UTF-8''Lease%20i%20of");
    const path = join(await ownFolder(t), "sealed.pdf");
    await writeFile(path, sealed);
    t.match(execFileSync("pdfsig", [path]).toString(), "Signature is Valid");
    t.match(execFileSync("pdftotext", [path, "-"]).toString(), "Zürich");
    const bySigner = await callApi(`${yamada}/download`);
    t.same(bySigner.body, sealed, "the signer gets the same bytes");
    const checked = await call("POST", "/api/v1/signature-requests/verify", {
      pdf_base64: sealed.toString("base64"),
    });
    t.match(checked.body.data, { valid: true, sealed_here: true, signature_request_id: id });
  });

  t.test("certificate and trail tell all of it", async (t) => {
    const { body: html, headers } = await call("GET", `/api/v1/signature-requests/${id}/certificate`);
    t.match(headers.get("content-type"), "text/html");
    t.match(html.toString(), "Ada Lovelace");
    const { body } = await call("GET", `/api/v1/signature-requests/${id}/events`);
    const kinds = body.data.events.map(({ kind }: { kind: string }) => kind);
    t.same(kinds, [
      ..."created invited invited opened consented signed opened consented signed sealed".split(" "),
      ..."downloaded downloaded".split(" "),
    ]);
    const certificate = await call("GET", "/api/v1/signature-requests/seal-certificate");
    t.match(certificate.body.toString(), "-----BEGIN CERTIFICATE-----");
  });

  t.test("everyone gets one mail with the way to the signed document", async (t) => {
    for (const [address, at] of [
      ["ada@example.com", ada],
      ["yamada@example.com", yamada],
    ]) {
      const [, mail] = await smtp.mailsTo(address, 2);
      t.equal(mail?.subject, "Signed by everyone: Lease <i>of</i> 12 Elm Street");
      t.match(mail?.text, new URL(at).pathname);
    }
  });

  t.test("the list finds it by its outer id, exactly", async (t) => {
    const found = await call("GET", "/api/v1/signature-requests?external_id=Lease-118&status=completed");
    t.match(found.body.data, { signature_requests: [{ id }], pagination: { total: 1, total_pages: 1 } });
    const other = await call("GET", "/api/v1/signature-requests?external_id=lease-118");
    t.match(other.body.data, { signature_requests: [], pagination: { total: 0 } });
  });

  t.test("another account sees nothing of it", async (t) => {
    const stranger = await openApiAccount(t, system);
    for (const path of ["", "/download", "/certificate", "/events"]) {
      const answer = await stranger.call("GET", `/api/v1/signature-requests/${id}${path}`);
      t.match(answer, { status: 404, body: { error: { code: "not_found" } } });
    }
    const cancel = await stranger.call("POST", `/api/v1/signature-requests/${id}/cancel`);
    t.equal(cancel.status, 404);
  });
});
