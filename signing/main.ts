import { tmpdir } from "node:os";
import { join } from "node:path";
import { announceReady } from "../platform/announce-ready.ts";
import { openBlobStore } from "../platform/blob-store.ts";
import { connectBus } from "../platform/bus.ts";
import { migrate, openDatabase } from "../platform/database.ts";
import { serveHealth } from "../platform/health.ts";
import { createLog } from "../platform/log.ts";
import { folderTransport, smtpTransport } from "../platform/mail-transport.ts";
import { createMetrics } from "../platform/metrics.ts";
import { createOutbox } from "../platform/outbox.ts";
import { repeat } from "../platform/repeat.ts";
import { createShutdown, stopOnSignals } from "../platform/shutdown.ts";
import { wakeable } from "../platform/wakeable.ts";
import { answerRequests } from "./answer-requests.ts";
import { readConfig } from "./config.ts";
import { createSendMails } from "./mail/send-mails.ts";
import { history } from "./migrations/history.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { createExpireRequests } from "./requests/expire-requests.ts";
import { createSealDue, createSealRequest } from "./requests/seal-request.ts";
import { createSealPool } from "./seal/seal-pool.ts";
import { loadSigningKey } from "./seal/signing-key.ts";
import { createSignLink, linkKeyFrom } from "./sign-link.ts";
import { createWithLocalFile, removeAbandoned } from "./with-local-file.ts";

const config = readConfig(process.env);
const log = createLog("signing", config.LOG_LEVEL);
const metrics = createMetrics("signing");
const shutdown = createShutdown(log);
stopOnSignals(shutdown);
const now = () => new Date();
const warn = (message: string) => (err: unknown) => log.warn({ err }, message);

const db = await openDatabase({ url: config.DATABASE_URL, service: "signing", poolSize: 16 });
shutdown.add("database", () => db.destroy());
await migrate(db, history);
const blobs = await openBlobStore(config.BLOB_URL);
const bus = await connectBus({ url: config.NATS_URL, service: "signing", log });
const outbox = createOutbox({ db, bus, log });
shutdown.add("outbox", outbox.close);

const key = await loadSigningKey({
  p12Path: config.SIGNING_P12 ?? undefined,
  p12Password: config.SIGNING_P12_PASSWORD,
  folder: config.DATA_DIR,
  commonName: config.SIGNING_NAME,
});
const timestamp = config.TSA_URL === null ? null : { url: config.TSA_URL, mode: config.TSA_MODE };
const pool = createSealPool({ key, timestamp, threads: config.SEAL_THREADS });
shutdown.add("seal pool", pool.close);

const link = createSignLink({
  key: config.SIGNING_LINK_KEY ?? linkKeyFrom(config.SECRETS_KEY),
  baseUrl: config.PUBLIC_BASE_URL,
});
const transport =
  config.SMTP_URL === null
    ? folderTransport(join(config.DATA_DIR, "mail"), log)
    : smtpTransport(config.SMTP_URL);
shutdown.add("mail transport", transport.close);
const sendMails = createSendMails({ db, transport, link, from: config.MAIL_FROM, now, log });
// Mails of calls at the same time go out together: the queue is asked once for all of them.
const mailer = wakeable(sendMails, 2000, warn("mails could not be sent"), 100);
shutdown.add("mailer", mailer.stop);

const workDir = join(tmpdir(), "pdf-signing");
await removeAbandoned(workDir, now());
const withLocalFile = createWithLocalFile({ blobs, workDir });
const change = { db, outbox, now, mailsQueued: mailer.wake };
const expireRequests = createExpireRequests(change);
const sealRequest = createSealRequest({ ...change, blobs, pool, withLocalFile, log });

const sweeps = [
  repeat(expireRequests, 1000, warn("expiry could not be swept")),
  repeat(createSealDue({ ...change, sealRequest }), 2000, warn("seals could not be swept")),
  repeat(() => removeOrphans({ db, blobs, log }), 3600_000, warn("orphans could not be swept")),
  repeat(() => removeAbandoned(workDir, now()), 3600_000, warn("abandoned files could not be swept")),
];
shutdown.add("sweeps", () => Promise.all(sweeps.map(({ stop }) => stop())));

answerRequests({ ...change, bus, blobs, pool, key, link, withLocalFile, expireRequests, sealRequest });
// Closed before all others: no question is taken that could not be answered any more.
shutdown.add("bus", bus.close);
const checks = { database: () => db.raw("SELECT 1"), nats: bus.check, blobs: blobs.check };
const { HOST: host, HEALTH_PORT: port } = config;
const health = await serveHealth({ port, host, checks, isOpen: shutdown.isOpen, metrics });
shutdown.add("health", () => health.close());
announceReady(log);
