import type { Migration } from "../../platform/database.ts";
import { createOutboxTable } from "../../platform/outbox.ts";
import { keepSignatureRequests } from "./0002-keep-signature-requests.ts";
import { keepSigners } from "./0003-keep-signers.ts";
import { keepFieldsAndTheirValues } from "./0004-keep-fields-and-their-values.ts";
import { keepTheAuditTrail } from "./0005-keep-the-audit-trail.ts";
import { queueMails } from "./0006-queue-mails.ts";
import { countRequestsByStatus } from "./0007-count-requests-by-status.ts";

/** The tables of the signing service, in the order in which they came to be. */
export const history: readonly Migration[] = [
  createOutboxTable,
  keepSignatureRequests,
  keepSigners,
  keepFieldsAndTheirValues,
  keepTheAuditTrail,
  queueMails,
  countRequestsByStatus,
];
