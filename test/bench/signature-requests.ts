/**
 * Signature requests against the bounds of the project, over HTTP: creating, listing among many, sealing, and eight
 * signers at the same instant. There is no peer in this run; the bounds are stated in the table.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Test } from "tap";
import { openDatabase } from "../../platform/database.ts";
import { type ApiAnswer, callApi, openApiAccount } from "../support/api-account.ts";
import { makePdf } from "../support/make-pdf.ts";
import { startSystem } from "../support/start-system.ts";
import { fillWithRequests } from "./signature-rows.ts";

const ends: (() => unknown)[] = [];
/** What the test support asks of a test: to be told when it ends. */
const owner = { teardown: (end: () => unknown) => ends.unshift(end) } as unknown as Test;
const creations = Number(process.env.BENCH_CREATIONS ?? 1000);
const listed = Number(process.env.BENCH_LISTED ?? 100_000);
const races = Number(process.env.BENCH_RACES ?? 100);
const path = "/api/v1/signature-requests";

const rows: { what: string; measured: string | number; bound: string }[] = [];
const report = (what: string, measured: string | number, bound: string) => {
  console.error(`${what}: ${measured}`);
  rows.push({ what, measured, bound });
};

try {
  const system = await startSystem(owner, {
    run: ["gateway", "signing"],
  });
  const account = await openApiAccount(owner, system);
  const db = await openDatabase({ url: system.databaseUrl, service: "signing", poolSize: 2 });
  owner.teardown(() => db.destroy());
  const link = (url: string) => system.baseUrl + new URL(url).pathname;
  const small = await padded(1, 100 * 1024);

  const sample = await creating();
  await listing(sample);
  await sealing("10 signers of 5 fields, 100 pages, 5 MB", await padded(100, 5 * 2 ** 20), 10, "≤ 400");
  await sealing("1 signer, 100 MB", await padded(10, 99.9 * 2 ** 20), 1, "≤ 5000");
  report("peak memory of signing, MB", peakMegabytes(), "≤ 400 above idle");
  await racing();
  console.table(rows);

  async function create(body: object): Promise<ApiAnswer> {
    const answer = await account.call("POST", path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer;
  }

  async function creating(): Promise<string> {
    const pdf_base64 = small.toString("base64");
    const body = {
      title: "Lease",
      pdf_base64,
      signers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
    };
    await together(16, 100, () => create(body));
    const times = await together(16, creations, () => create(body));
    report("creations/s, 100 KB, 16 at once", Math.round(times.perSecond), "≥ 100");
    report("… p99 ms", times.at(0.99), "");
    return (await create(body)).body.data.id;
  }

  async function listing(id: string): Promise<void> {
    await fillWithRequests(db, { sample: id, count: listed });
    const queries = {
      newest: "",
      "page 50": "?page=50",
      completed: "?status=completed",
      "one external id": "?external_id=order-500",
      "external id and status": "?external_id=order-500&status=pending",
    };
    for (const [name, query] of Object.entries(queries)) {
      await together(1, 20, () => account.call("GET", path + query));
      const times = await together(1, 300, () => account.call("GET", path + query));
      report(`list of 20 among ${listed}: ${name}, p50 ms`, times.at(0.5), "");
      report(`list of 20 among ${listed}: ${name}, p99 ms`, times.at(0.99), "≤ 15");
    }
  }

  async function sealing(what: string, pdf: Buffer, signers: number, bound: string): Promise<void> {
    const fields = ["signature", "initials", "date", "name", "text"].map((type, index) => ({
      type,
      page: index + 1,
      x: 50,
      y: 60 + 60 * index,
      width: 200,
      height: 40,
    }));
    const { body } = await create({
      title: "Long lease",
      pdf_base64: pdf.toString("base64"),
      signers: people(signers).map((person) => ({ ...person, fields })),
    });
    const mark = { type: "typed", text: "Ada Lovelace" };
    const links: string[] = body.data.signers.map((signer: { sign_url: string }) => link(signer.sign_url));
    for (const [index, url] of links.entries()) {
      const fieldId = `field_${index * fields.length + fields.length}`;
      const values = [{ id: fieldId, value: "Some words of the signer" }];
      const startedAt = performance.now();
      const answer = await post(`${url}/complete`, {
        consent: true,
        fields: values,
        signature: mark,
        initials: mark,
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      if (index < links.length - 1) continue;
      if (answer.body.data.request_status !== "completed") throw new Error("not completed in time");
      report(`last signature to completed, ms: ${what}`, Math.round(performance.now() - startedAt), bound);
    }
  }

  async function racing(): Promise<void> {
    let wrong = 0;
    for (let race = 0; race < races; race++) {
      const { body } = await create({
        title: "Race",
        pdf_base64: small.toString("base64"),
        signers: people(8),
      });
      const signature = { type: "typed", text: "Ada" };
      const placement = { page: 1, x: 50, y: 50, width: 200, height: 40 };
      const answers = await Promise.all(
        body.data.signers.map((signer: { sign_url: string }) =>
          post(`${link(signer.sign_url)}/complete`, { consent: true, signature, placement }),
        ),
      );
      const { id } = body.data;
      const sealed = await db("audit_entries").where({ request_id: id, kind: "sealed" });
      const mails = await db("mails").where({ request_id: id, kind: "completion" });
      const events = await db("outbox").where("payload", "like", `%signature_request.completed%${id}%`);
      const fine = answers.every(({ status }) => status === 200) && sealed.length === 1 && mails.length === 8;
      if (!fine || events.length !== 1) wrong++;
    }
    report(`8 signers at once, ${races} times: not exactly one seal, event and set of mails`, wrong, "0");
  }

  function post(url: string, body: object): Promise<ApiAnswer> {
    return callApi(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  function peakMegabytes(): number {
    const status = readFileSync(`/proc/${system.process("signing")?.pid()}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
  }
} finally {
  for (const end of ends) await end();
}

function people(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `Signer ${index + 1}`,
    email: `signer${index + 1}@example.com`,
  }));
}

/** A PDF of about this many bytes; what fills it cannot be compressed. */
async function padded(pages: number, bytes: number): Promise<Buffer> {
  const plain = { pages: Array.from({ length: pages }, (_, index) => ({ text: `Page ${index + 1}` })) };
  const filling = randomBytes(Math.max(0, bytes - (await makePdf(plain)).length - 2000));
  return Buffer.from(await makePdf({ ...plain, attachments: [{ name: "filling.bin", data: filling }] }));
}

async function together(atOnce: number, count: number, work: () => Promise<unknown>) {
  const times: number[] = [];
  const startedAt = performance.now();
  let started = 0;
  const one = async () => {
    while (started < count) {
      started++;
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const perSecond = (count / (performance.now() - startedAt)) * 1000;
  times.sort((a, b) => a - b);
  return { perSecond, at: (share: number) => Number(times[Math.floor(times.length * share)]?.toFixed(1)) };
}
