import { announceReady } from "../platform/announce-ready.ts";
import { openBlobStore } from "../platform/blob-store.ts";
import { connectBus } from "../platform/bus.ts";
import { Failure } from "../platform/contracts/failures.ts";
import { migrate, openDatabase } from "../platform/database.ts";
import { createLog } from "../platform/log.ts";
import { createMetrics } from "../platform/metrics.ts";
import { repeat } from "../platform/repeat.ts";
import { createSafeFetch } from "../platform/safe-fetch.ts";
import { createSecretBox } from "../platform/secret-box.ts";
import { createShutdown, stopOnSignals } from "../platform/shutdown.ts";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { createBeginOnce } from "./idempotency/idempotency.ts";
import { removeExpiredRows } from "./idempotency/idempotency-rows.ts";
import { createReadBody } from "./ingest/read-body.ts";
import { openJobs } from "./jobs/open-jobs.ts";
import { listen } from "./listen.ts";
import { createAdmit } from "./middleware/admit.ts";
import { createAuthenticate } from "./middleware/authenticate.ts";
import { createCountCall } from "./middleware/rate-limit.ts";
import { history } from "./migrations/history.ts";
import { createOpenJob } from "./pdf/open-job.ts";
import { createRoutes } from "./routes.ts";
import { createServeRoute } from "./serve-route.ts";
import { serviceRoutes } from "./service-routes.ts";

const config = readConfig(process.env);
const log = createLog("gateway", config.LOG_LEVEL);
const metrics = createMetrics("gateway");
const shutdown = createShutdown(log);
stopOnSignals(shutdown);
const now = () => new Date();

const [db, blobs, bus] = await Promise.all([
  openDatabase({ url: config.DATABASE_URL, service: "gateway", poolSize: 20 }),
  openBlobStore(config.BLOB_URL),
  connectBus({ url: config.NATS_URL, service: "gateway", log }),
]);
shutdown.add("database", () => db.destroy());
shutdown.add("bus", bus.close);
await migrate(db, history);

const secretBox = createSecretBox(config.SECRETS_KEY);
const safeFetch = createSafeFetch({ allowedHosts: config.URL_ALLOWED_HOSTS });
const jobs = openJobs({
  db,
  bus,
  blobs,
  secretBox,
  metrics,
  log,
  waitMs: config.SYNC_WAIT_SECONDS * 1000,
  limits: { ofAll: config.QUEUE_LIMIT, ofAccount: config.QUEUE_LIMIT_PER_ACCOUNT },
});
shutdown.add("jobs", jobs.close);
const tidy = repeat(
  () => removeExpiredRows(db, now()),
  600_000,
  (err) => log.warn({ err }, "expired idempotency keys were not removed"),
);
shutdown.add("tidying", tidy.stop);

const closing = new AbortController();
const serveRoute = createServeRoute({
  blobs,
  readBody: createReadBody(blobs),
  admit: createAdmit({
    authenticate: createAuthenticate({ db, log, now }),
    countCall: createCountCall(db, config.RATE_LIMIT_PER_MINUTE),
  }),
  beginOnce: createBeginOnce({ db, secretBox, log, now }),
  closing: closing.signal,
  openJob: createOpenJob({ db, blobs }),
});
const app = createApp({
  routes: createRoutes({ blobs, bus, safeFetch, jobs, baseUrl: config.PUBLIC_BASE_URL }),
  serveRoute,
  serviceRoutes: serviceRoutes({
    checks: { mysql: () => db.raw("SELECT 1"), nats: bus.check, blobs: blobs.check },
    isOpen: shutdown.isOpen,
    metrics,
  }),
  log,
  metrics,
  trustedProxies: config.TRUSTED_PROXIES,
});
const { port, close } = await listen(app.callback(), { host: config.HOST, port: config.PORT });
shutdown.add("http", () => {
  // Calls that wait for a job answer with the job now, so that closing does not wait as long as they would.
  closing.abort(new Failure("unavailable", "The service is being restarted. Try again in a moment."));
  return close();
});
announceReady(log, { port });
