import t from "tap";
import { openDatabase } from "../../platform/database.ts";
import { callApi, openApiAccount } from "../support/api-account.ts";
import { listenToEvents } from "../support/event-listener.ts";
import { openSigningCaller, people } from "../support/signing-caller.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";
import { startSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

t.test("a request in the course of time", async (t) => {
  const smtp = await startSmtpReceiver(t);
  const system = await startSystem(t, { run: ["gateway", "signing"], env: { SMTP_URL: smtp.url } });
  const account = await openApiAccount(t, system);
  const caller = await openSigningCaller(system, account);
  const listener = await listenToEvents(t, system);
  const db = await openDatabase({ url: system.databaseUrl, service: "signing", poolSize: 1 });
  t.teardown(() => db.destroy());

  await t.test("in order: each is invited when the turn comes, and not before", async (t) => {
    const [one, two] = ["order.one@example.com", "order.two@example.com"];
    const signers = [
      { name: "One", email: one },
      { name: "Two", email: two },
    ];
    const { id, links } = await caller.create({ enforce_order: true, signers, webhook_tag: "leases" });
    const [first = "", second = ""] = links;
    await smtp.mailsTo(one);
    t.match((await callApi(`${second}/request`)).body.data, { can_sign: false, fields: [], pages: [] });
    for (const answer of [await caller.sign(second), await caller.post(`${second}/open`, {})]) {
      t.match(answer, { status: 409, body: { error: { code: "invalid_state" } } });
    }
    t.equal((await callApi(`${second}/document`)).status, 409);
    t.same((await caller.act(id, "remind")).body.data.reminded_emails, [one]);
    t.equal(smtp.mails.filter(({ to }) => to?.[0]?.address === two).length, 0);
    t.match((await caller.sign(first)).body.data, { request_status: "in_progress" });
    await smtp.mailsTo(two);
    t.match((await caller.sign(second)).body.data, { request_status: "completed" });
    const signed = await listener.heard("signature_request.signed", id);
    const body = JSON.parse(signed.body.in === "message" ? signed.body.json : "");
    t.equal(signed.tag, "leases");
    t.match(body, {
      event: "signature_request.signed",
      signature_request_id: id,
      data: { id, title: "Lease", status: "in_progress", signer: { email: one, signature_hash: String } },
      timestamp: String,
    });
  });

  await t.test("reminders: the same link again, at most once an hour", async (t) => {
    const { id, data } = await caller.create({ signers: [{ name: "Slow", email: "slow@example.com" }] });
    const answer = await caller.act(id, "remind");
    t.same(answer.body.data, { id, reminders_sent: 1, reminded_emails: ["slow@example.com"] });
    const mails = await smtp.mailsTo("slow@example.com", 2);
    t.equal(mails.filter(({ subject }) => subject === "Reminder: please sign Lease").length, 1);
    for (const { text } of mails) t.match(text, data.signers[0].sign_url);
    const again = await caller.act(id, "remind");
    t.match(again, { status: 429, body: { error: { code: "rate_limited" } } });
    t.ok(Number(again.headers.get("retry-after")) > 3500);
  });

  await t.test("without e-mails nothing is sent, but for an explicit reminder", async (t) => {
    const { id, links } = await caller.create({
      send_emails: false,
      signers: [{ name: "Quiet", email: "quiet@example.com" }],
    });
    await caller.act(id, "remind");
    // Who has signed before it is sent needs no reminder any more.
    await smtp.mailsTo("quiet@example.com");
    await caller.sign(links[0] ?? "");
    await listener.heard("signature_request.completed", id);
    const [mail, ...others] = await smtp.mailsTo("quiet@example.com");
    t.match(mail?.subject, "Reminder");
    t.same(others, []);
  });

  await t.test("cancelling: once, and then for good", async (t) => {
    const { id, links } = await caller.create({ signers: people(2) });
    await caller.sign(links[0] ?? "");
    const [first, second] = await Promise.all([caller.act(id, "cancel"), caller.act(id, "cancel")]);
    t.equal(first.status, 200);
    t.same(first.body.data, second.body.data, "both get the same answer");
    t.match(await caller.sign(links[1] ?? ""), { status: 409 });
    t.match(await caller.act(id, "remind"), { status: 409 });
    const cancelled = await listener.heard("signature_request.cancelled", id);
    t.equal(cancelled.order?.sequence, 3);
    const { body } = await account.call("GET", `/api/v1/signature-requests/${id}/events`);
    t.equal(body.data.events.filter(({ kind }: { kind: string }) => kind === "cancelled").length, 1);
  });

  await t.test("expiry: for every reader at the instant, its event within five seconds", async (t) => {
    const { id, links } = await caller.create({ signers: people(1) });
    const expiresAt = new Date(Date.now() + 700);
    await db("signature_requests").where({ id }).update({ expires_at: expiresAt, lapses_at: expiresAt });
    await until("the time is over", async () => (Date.now() >= expiresAt.getTime() ? true : null));
    t.equal((await caller.get(id)).status, "expired");
    const listed = await account.call("GET", "/api/v1/signature-requests?status=expired");
    t.match(listed.body.data, { signature_requests: [{ id }], pagination: { total: 1 } });
    await listener.heard("signature_request.expired", id);
    t.ok(Date.now() - expiresAt.getTime() < 5000);
    for (const answer of [await caller.sign(links[0] ?? ""), await caller.act(id, "cancel")]) {
      t.match(answer, { status: 409, body: { error: { code: "invalid_state" } } });
    }
    t.match((await callApi(`${links[0]}/request`)).body.data, { status: "expired", can_sign: false });
  });

  await t.test("a mail server that refuses delays nothing and loses nothing", async (t) => {
    smtp.refuse = true;
    const { id, links } = await caller.create({ signers: [{ name: "Late", email: "late@example.com" }] });
    await until("the server has refused", async () => (smtp.refusals > 0 ? true : null));
    smtp.refuse = false;
    await smtp.mailsTo("late@example.com");
    t.match((await caller.sign(links[0] ?? "")).body.data, { request_status: "completed" });
    await listener.heard("signature_request.completed", id);
  });
});
