import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { freePort } from "../../deploy/free-port.ts";
import { openApiAccount } from "../support/api-account.ts";
import { listenToEvents } from "../support/event-listener.ts";
import { openSigningCaller, people } from "../support/signing-caller.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";
import { ownFolder } from "../support/start-servers.ts";
import { startSystem, type TestSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

t.test("the last signature", async (t) => {
  const smtp = await startSmtpReceiver(t);
  const env = { SMTP_URL: smtp.url, PORT: String(await freePort()) };
  const system = await startSystem(t, { run: ["gateway", "signing"], env });
  const account = await openApiAccount(t, system);
  const caller = await openSigningCaller(system, account);
  const listener = await listenToEvents(t, system);

  /** Exactly one of everything, and a download that carries every signature. */
  async function requireOneCompletion(t: Test, id: string, signers: number): Promise<void> {
    const completed = await listener.heard("signature_request.completed", id);
    const { body: sealed } = await account.call("GET", `/api/v1/signature-requests/${id}/download`);
    const { data } = JSON.parse(completed.body.in === "message" ? completed.body.json : "{}");
    t.equal(createHash("sha256").update(sealed).digest("hex"), data.document_sha256);
    const path = join(await ownFolder(t), "sealed.pdf");
    await writeFile(path, sealed);
    t.match(execFileSync("pdfsig", [path]).toString(), "Signature is Valid");
    const { body } = await account.call("GET", `/api/v1/signature-requests/${id}/events?per_page=100`);
    const kinds: string[] = body.data.events.map(({ kind }: { kind: string }) => kind);
    t.equal(kinds.filter((kind) => kind === "signed").length, signers);
    t.equal(kinds.filter((kind) => kind === "sealed").length, 1);
    const types = listener.events.filter(({ order }) => order?.key === id).map(({ type }) => type);
    t.equal(types.filter((type) => type === "signature_request.completed").length, 1);
  }
  t.test("completes the request although the service is killed before it could", async (t) => {
    for (const afterMs of [10, 40]) {
      const { id, links } = await caller.create({ signers: people(1) });
      let answered: number | undefined;
      const note = ({ status }: { status: number }) => {
        answered = status;
      };
      // Not awaited: the gateway waits a while for an answer that never comes.
      void caller.sign(links[0] ?? "").then(note, () => undefined);
      await pause(afterMs);
      await killAndAwait(system, "signing");
      const isIn = (await caller.get(id)).signers[0].status === "signed";
      t.ok(isIn || answered !== 200, "what was answered is kept");
      if (!isIn) t.equal((await caller.sign(links[0] ?? "")).status, 200);
      await requireOneCompletion(t, id, 1);
    }
  });

  t.test("of eight at the same instant makes one seal, one event, one mail each", async (t) => {
    for (let round = 1; round <= 3; round++) {
      const signers = people(8).map((one) => ({ ...one, email: `round${round}.${one.email}` }));
      const { id, links } = await caller.create({ signers });
      const answers = await Promise.all(links.map(caller.sign));
      t.same(
        answers.map(({ status }) => status),
        Array(8).fill(200),
      );
      await requireOneCompletion(t, id, 8);
      // An invitation that has not left yet is not sent to one who has signed.
      const completions = () =>
        smtp.mails.filter(
          ({ subject, to }) =>
            subject?.startsWith("Signed by everyone") && to?.[0]?.address?.startsWith(`round${round}.`),
        );
      await until("everyone has a mail", async () => (completions().length < 8 ? null : true));
      t.equal(new Set(completions().map(({ to }) => to?.[0]?.address)).size, 8);
      t.equal(completions().length, 8);
    }
  });

  t.test("counts once when it is sent twice", async (t) => {
    const { id, links } = await caller.create({ signers: people(1) });
    const answers = await Promise.all([1, 2, 3].map(() => caller.sign(links[0] ?? "")));
    t.same(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    await requireOneCompletion(t, id, 1);
  });

  t.test("completes the request although the database is killed before it could", async (t) => {
    const { id, links } = await caller.create({ signers: people(1) });
    const signing = caller.sign(links[0] ?? "");
    await pause(30);
    system.process("mariadbd")?.kill("SIGKILL");
    const { status: answered } = await signing;
    t.ok([200, 503].includes(answered), `done, or to be tried again: ${answered}`);
    const state = await until("the database is back", async () => {
      const { status, body } = await account.call("GET", `/api/v1/signature-requests/${id}`);
      return status === 200 ? body.data : null;
    });
    if (state.signers[0].status === "pending") t.equal((await caller.sign(links[0] ?? "")).status, 200);
    await requireOneCompletion(t, id, 1);
  });
});

/** Resolves when the service that was killed is ready again. */
async function killAndAwait(system: TestSystem, name: "signing"): Promise<void> {
  const child = system.process(name);
  const before = child?.pid();
  child?.kill("SIGKILL");
  await until(`${name} runs again`, async () => (child?.pid() === before ? null : true));
  await system.ready(name);
}
