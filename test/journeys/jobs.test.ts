import t from "tap";
import { openApiAccount } from "../support/api-account.ts";
import { makePages, makePdf } from "../support/make-pdf.ts";
import { startSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

const jobs = "/api/v1/pdf/jobs";

t.test("the life of a job over HTTP", async (t) => {
  const system = await startSystem(t, { run: ["gateway", "workers"], env: { WORKER_SLOTS: "1" } });
  const account = await openApiAccount(t, system);
  const base64 = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString("base64");
  const small = await base64(makePdf({ pages: [{ text: "Small" }] }));
  const long = await base64(makePages(60));
  const jobOf = async (id: string) => (await account.call("GET", `${jobs}/${id}`)).body.data;
  const startLong = async () => {
    const body = { file_base64: long, force_ocr: true };
    const { body: answer } = await account.call("POST", "/api/v1/pdf/ocr", body, { prefer: "respond-async" });
    const id: string = answer.data.job_id;
    await until("some pages are done", async () => ((await jobOf(id)).progress?.done > 0 ? true : null));
    return id;
  };

  t.test("an asynchronous call answers with the job, which can be looked up with its result", async (t) => {
    const body = { pdf_base64: small, webhook_url: "http://127.0.0.1:9/hook" };
    const accepted = await account.call("POST", "/api/v1/pdf/split", body);
    t.equal(accepted.status, 202);
    t.match(accepted.body, {
      success: true,
      data: { job_id: /^job_/, operation: "split", status: "queued", completed_at: null },
    });
    const id: string = accepted.body.data.job_id;
    const job = await until("the job ended", async () => {
      const found = await jobOf(id);
      return found.completed_at === null ? null : found;
    });
    t.match(job, {
      status: "completed",
      error: null,
      data: { original_pages: 1, files: [{ name: "part_1" }] },
    });
    t.equal(Date.parse(job.expires_at) - Date.parse(job.completed_at), 24 * 3600 * 1000);
    t.match(Buffer.from(job.data.files[0].pdf_base64, "base64").toString("latin1"), /^%PDF-/);
  });

  t.test("a failed job says why, in the words that a waiting call would have had", async (t) => {
    const body = { pdf_base64: Buffer.from("no PDF").toString("base64") };
    const waited = await account.call("POST", "/api/v1/pdf/split", body);
    t.equal(waited.status, 422);
    const { body: list } = await account.call("GET", `${jobs}?status=failed`);
    t.match(list.data, {
      jobs: [{ operation: "split", error: waited.body.error }],
      pagination: { total: 1 },
    });
  });

  t.test("jobs are listed newest first, by page, status and operation, without results", async (t) => {
    const merge = { files: [{ pdf_base64: small }, { pdf_base64: small }] };
    for (let count = 0; count < 3; count += 1) await account.call("POST", "/api/v1/pdf/merge", merge);
    const { body } = await account.call("GET", `${jobs}?operation=merge&per_page=2&page=1`);
    t.match(body.data.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
    t.equal(body.data.jobs.length, 2);
    t.notOk("data" in body.data.jobs[0]);
    t.ok(body.data.jobs[0].job_id > body.data.jobs[1].job_id);
  });

  t.test("a job is nobody else's", async (t) => {
    const { body } = await account.call("GET", jobs);
    const [{ job_id: id }] = body.data.jobs;
    const other = await openApiAccount(t, system);
    t.equal((await other.call("GET", `${jobs}/${id}`)).status, 404);
    t.equal((await other.call("DELETE", `${jobs}/${id}`)).status, 404);
    t.same((await other.call("GET", jobs)).body.data.jobs, []);
    t.equal((await account.call("GET", `${jobs}/nonsense`)).status, 404);
  });

  t.test("erasing a job that has ended removes its result at once", async (t) => {
    const { body } = await account.call("GET", `${jobs}?status=completed`);
    const [{ job_id: id }] = body.data.jobs;
    t.match((await account.call("DELETE", `${jobs}/${id}`)).body.data, { job_id: id, erased: true });
    t.equal((await account.call("GET", `${jobs}/${id}`)).status, 404);
  });

  t.test("a long document holds up no short one, even with a single slot; cancelled, it stops", async (t) => {
    const id = await startLong();
    const split = await account.call("POST", "/api/v1/pdf/split", { pdf_base64: small });
    t.equal(split.status, 200);
    const during = await jobOf(id);
    t.match(during, { status: "processing", progress: { total: 60 } });
    t.ok(during.progress.done < 60);
    t.match((await account.call("DELETE", `${jobs}/${id}`)).body.data, {
      job_id: id,
      status: "cancelled",
      erased: false,
    });
    t.match(await jobOf(id), { status: "cancelled", data: null, progress: null });
    const ended = (line: string) => line.includes(id) && line.includes('"ended":"cancelled"');
    await until("the worker let go", async () => system.lines.find(({ line }) => ended(line)), 2000);
  });
});
