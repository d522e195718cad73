import type { Migration } from "../../platform/database.ts";
import { createOutboxTable } from "../../platform/outbox.ts";
import { queueJobs } from "./0002-queue-jobs.ts";

/** What has become of the gateway's tables, oldest first. */
export const history: readonly Migration[] = [createOutboxTable, queueJobs];
