import type { Migration } from "../../platform/database.ts";
import { registerEndpoints } from "./0001-register-endpoints.ts";
import { keepDefaultSecrets } from "./0002-keep-default-secrets.ts";
import { recordEvents } from "./0003-record-events.ts";
import { queueDeliveries } from "./0004-queue-deliveries.ts";
import { logAttempts } from "./0005-log-attempts.ts";
import { knowLivingProcesses } from "./0006-know-living-processes.ts";

/** In the order in which they happened. One that has landed is never edited. */
export const history: readonly Migration[] = [
  registerEndpoints,
  keepDefaultSecrets,
  recordEvents,
  queueDeliveries,
  logAttempts,
  knowLivingProcesses,
];
