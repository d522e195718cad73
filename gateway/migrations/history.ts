import type { Migration } from "../../platform/database.ts";
import { createOutboxTable } from "../../platform/outbox.ts";
import { queueJobs } from "./0002-queue-jobs.ts";
import { knowWhoCalls } from "./0003-know-who-calls.ts";
import { letAccountsHoldKeys } from "./0004-let-accounts-hold-keys.ts";
import { countCallsAMinute } from "./0005-count-calls-a-minute.ts";
import { answerARepeatedCallOnce } from "./0006-answer-a-repeated-call-once.ts";
import { letResultsHaveManyFiles } from "./0007-let-results-have-many-files.ts";

/** What has become of the gateway's tables, oldest first. */
export const history: readonly Migration[] = [
  createOutboxTable,
  queueJobs,
  knowWhoCalls,
  letAccountsHoldKeys,
  countCallsAMinute,
  answerARepeatedCallOnce,
  letResultsHaveManyFiles,
];
