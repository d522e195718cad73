import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { announceReady } from "../platform/announce-ready.ts";
import { openBlobStore } from "../platform/blob-store.ts";
import { connectBus } from "../platform/bus.ts";
import { endpointChanged } from "../platform/contracts/webhook.ts";
import { migrate, openDatabase } from "../platform/database.ts";
import { serveHealth } from "../platform/health.ts";
import { createLog } from "../platform/log.ts";
import { folderTransport, smtpTransport } from "../platform/mail-transport.ts";
import { createMetrics } from "../platform/metrics.ts";
import { repeat } from "../platform/repeat.ts";
import { createSafeFetch } from "../platform/safe-fetch.ts";
import { createSecretBox } from "../platform/secret-box.ts";
import { createShutdown, stopOnSignals } from "../platform/shutdown.ts";
import { wakeable } from "../platform/wakeable.ts";
import { answerRequests } from "./answer-requests.ts";
import { readConfig } from "./config.ts";
import { consumeEvents } from "./consume-events.ts";
import { createClaimDue } from "./delivering/claim-due.ts";
import { createDeliver } from "./delivering/deliver.ts";
import { createDispatcher } from "./delivering/dispatcher.ts";
import { beat, heartbeatEveryMs, release, sayGoodbye, takeOver } from "./delivering/leases.ts";
import { createLetGo } from "./delivering/let-go.ts";
import { createPost } from "./delivering/post.ts";
import { createRecordResults } from "./delivering/record-results.ts";
import { createDefaultSecretOf } from "./endpoints/default-secrets.ts";
import { createKnownEndpoints } from "./endpoints/known-endpoints.ts";
import { createNoteHealth } from "./endpoints/note-health.ts";
import { probeEndpoints } from "./endpoints/probe-endpoints.ts";
import { resumeHeld } from "./endpoints/resume-held.ts";
import { createSendNotices } from "./endpoints/send-notices.ts";
import { removeOld } from "./log/remove-old.ts";
import { removeOrphans } from "./log/remove-orphans.ts";
import { history } from "./migrations/history.ts";
import { observeAttempts } from "./observe-attempts.ts";
import { createRecordEvents } from "./recording/record-events.ts";

const config = readConfig(process.env);
const log = createLog("webhooks", config.LOG_LEVEL);
const metrics = createMetrics("webhooks");
const shutdown = createShutdown(log);
stopOnSignals(shutdown);
const now = () => new Date();
const warn = (message: string) => (err: unknown) => log.warn({ err }, message);
const processId = `${hostname().slice(0, 24)}-${randomUUID()}`;

const db = await openDatabase({ url: config.DATABASE_URL, service: "webhooks", poolSize: 16 });
shutdown.add("database", () => db.destroy());
await migrate(db, history);
const blobs = await openBlobStore(config.BLOB_URL);
const bus = await connectBus({ url: config.NATS_URL, service: "webhooks", log });
const secretBox = createSecretBox(config.SECRETS_KEY);
const { client, checkUrl } = createSafeFetch({ allowedHosts: config.URL_ALLOWED_HOSTS });
const { post, close: closePost } = createPost(client);
shutdown.add("connections", closePost);
const transport =
  config.SMTP_URL === null
    ? folderTransport(join(config.DATA_DIR, "mail"), log)
    : smtpTransport(config.SMTP_URL);
shutdown.add("mail transport", transport.close);

const endpoints = createKnownEndpoints(db, secretBox);
const defaultSecretOf = createDefaultSecretOf(db, secretBox);
const tellChanged = (endpointId: string) => {
  endpoints.forget(endpointId);
  bus.notify(endpointChanged.subject, { endpointId });
};
const room = (endpointId: string): number => dispatcher.room(endpointId);
const left = (endpointId: string): void => dispatcher.left(endpointId);
const hand = { secretBox, processId, room, left };
const { observe, countWork } = observeAttempts(metrics, log);
const dispatcher = createDispatcher({
  deliver: createDeliver({ endpoints, defaultSecretOf, blobs, post }),
  recordResults: createRecordResults({ ...hand, db, now }),
  noteHealth: createNoteHealth({ db, tellChanged, log, now }),
  letGo: createLetGo(db, endpoints, processId),
  wantMore: () => claimer.wake(),
  observe,
  log,
  retryDelaysMs: config.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
  slots: { first: Math.ceil(config.WEBHOOK_SLOTS * 0.75), retry: Math.ceil(config.WEBHOOK_SLOTS * 0.25) },
  perEndpoint: config.WEBHOOK_CONCURRENCY,
});
countWork(dispatcher.counts);

const claimDue = createClaimDue({ ...hand, db, now });
const claimer = wakeable(
  async () => {
    const { tasks, more } = await claimDue();
    dispatcher.add(tasks);
    if (more) claimer.wake();
  },
  500,
  warn("due deliveries could not be claimed"),
);

await beat(db, processId);
const sendNotices = createSendNotices({ db, transport, from: config.MAIL_FROM, log });
const sweepEveryMs = config.WEBHOOK_SWEEP_SECONDS * 1000;
const resume = wakeable(
  () => resumeHeld(db, now()),
  sweepEveryMs,
  warn("held deliveries could not be resumed"),
);
const rounds = [
  repeat(() => beat(db, processId), heartbeatEveryMs, warn("this process could not say that it lives")),
  repeat(() => takeOver(db, now()), heartbeatEveryMs, warn("dead processes' work could not be taken over")),
  repeat(
    async () => dispatcher.add(await probeEndpoints(db, hand, now())),
    sweepEveryMs,
    warn("endpoints could not be probed"),
  ),
  repeat(sendNotices, sweepEveryMs, warn("notices could not be sent")),
  repeat(() => removeOld({ db, blobs, now: now() }), 600_000, warn("old events could not be removed")),
  repeat(() => removeOrphans({ db, blobs }), 3600_000, warn("orphans could not be removed")),
];
shutdown.add("leases", async () => {
  await release(db, processId, now());
  await sayGoodbye(db, processId);
});
shutdown.add("rounds", () => Promise.all(rounds.map(({ stop }) => stop())));
shutdown.add("attempts under way", dispatcher.close);
shutdown.add("claims", () => Promise.all([claimer.stop(), resume.stop()]));

bus.listen(endpointChanged.subject, endpointChanged.message, ({ endpointId }) => {
  endpoints.forget(endpointId);
  resume.wake();
});
const wake = () => claimer.wake();
answerRequests({
  ...{ bus, db, blobs, secretBox, checkUrl, defaultSecretOf, hand, wake, tellChanged, now },
  attemptNow: dispatcher.attemptNow,
});
const stopConsuming = await consumeEvents({
  bus,
  recordEvents: createRecordEvents({ ...hand, db, now }),
  begin: dispatcher.add,
  log,
});
// Closed before all others: nothing is taken that could not be recorded any more.
shutdown.add("bus", bus.close);
shutdown.add("events", stopConsuming);
const checks = { database: () => db.raw("SELECT 1"), nats: bus.check, blobs: blobs.check };
const { HOST: host, HEALTH_PORT: port } = config;
const health = await serveHealth({ port, host, checks, isOpen: shutdown.isOpen, metrics });
shutdown.add("health", () => health.close());
announceReady(log);
