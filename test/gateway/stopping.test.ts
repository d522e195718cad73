import t from "tap";
import { openDatabase } from "../../platform/database.ts";
import { openApiAccount } from "../support/api-account.ts";
import { makePdf } from "../support/make-pdf.ts";
import { startSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

t.test("a gateway that is asked to stop answers the calls that wait, with their jobs", async (t) => {
  const system = await startSystem(t, { run: ["gateway"] });
  const account = await openApiAccount(t, system);
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway", poolSize: 1 });
  t.teardown(() => db.destroy());
  const waiting = account.call("POST", "/api/v1/pdf/compress", { pdf_base64: "JVBERi0xLjQ=" });
  await until("the job is queued", async () => (await db("jobs").first()) ?? null);
  system.process("gateway")?.kill("SIGTERM");
  const { status, body } = await waiting;
  t.equal(status, 202);
  t.match(body.data, { job_id: /^job_/, status: "queued" });
  await until("it has stopped by itself", async () =>
    system.lines.some(({ from, line }) => from === "gateway" && line.includes('"msg":"stopped"'))
      ? true
      : null,
  );
});

t.test(
  "a system that is asked to stop lets its workers settle what they do, while somebody hears it",
  async (t) => {
    const system = await startSystem(t, { run: ["gateway", "workers"] });
    const account = await openApiAccount(t, system);
    const pdf_base64 = Buffer.from(await makePdf()).toString("base64");
    const calls = Array.from({ length: 6 }, () =>
      account.call("POST", "/api/v1/pdf/compress", { pdf_base64 }),
    );
    const begun = () => system.lines.some(({ line }) => line.includes('"msg":"attempt ended"'));
    await until("workers are at it", async () => (begun() ? true : null));
    await system.stop();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    t.same(
      statuses.filter((status) => status !== 200 && status !== 202),
      [],
    );
    const troubles = system.lines.filter(({ line }) => /"level":[456]0/.test(line) || !line.startsWith("{"));
    t.same(
      troubles.filter(({ from }) => from === "gateway" || from === "workers"),
      [],
    );
  },
);
