import { createHash } from "node:crypto";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import type { MailTransport } from "../../platform/mail-transport.ts";
import { hasSigned, isLive, type SignatureRequest, type Signer } from "../requests/request.ts";
import { readRequests } from "../requests/request-rows.ts";
import type { SignLink } from "../sign-link.ts";
import { mailHtml, mailText } from "./lay-out-mail.ts";
import { claimMails, noteNotSent, noteSent, type QueuedMail } from "./mail-rows.ts";
import { mailWords } from "./mail-words.ts";

const batchSize = 8;
/** A process that sends holds a mail this long; a dead one's mails are then sent by another. */
const holdMs = 120_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Waits between tries: a mail server may be down for days. */
export const mailDelaysMs: readonly number[] = [
  5_000,
  30_000,
  ...[2, 10, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 16, 24, 24].map((hours) => hours * hourMs),
];

type Deps = {
  db: Database;
  transport: MailTransport;
  link: SignLink;
  /** Sender address, `Name <address>` or an address alone. */
  from: string;
  now: () => Date;
  log: Logger;
};

/** Sends every mail that is due; returns how many were taken in hand. */
export function createSendMails(deps: Deps) {
  return async function sendMails(): Promise<number> {
    const { db, now } = deps;
    for (let count = 0; ; ) {
      const at = now();
      const mails = await claimMails(db, at, { limit: batchSize, until: new Date(at.getTime() + holdMs) });
      const requests = await readRequests(db, [...new Set(mails.map(({ requestId }) => requestId))]);
      const byId = new Map(requests.map((request) => [request.id, request]));
      await Promise.all(mails.map((mail) => sendOne(deps, mail, byId.get(mail.requestId))));
      count += mails.length;
      if (mails.length < batchSize) return count;
    }
  };
}

async function sendOne(deps: Deps, mail: QueuedMail, request?: SignatureRequest): Promise<void> {
  const { db, now, log } = deps;
  const about = { mailId: mail.id, kind: mail.kind, signatureRequestId: mail.requestId };
  const signer = request?.signers.find(({ id }) => id === mail.signerId);
  if (!request || !signer || !isWanted(mail, request, signer, now())) {
    await noteNotSent(db, mail.id, { why: "no longer wanted", dueAt: null });
    return;
  }
  try {
    await deps.transport.send(composed(deps, mail, request, signer));
    await noteSent(db, mail.id, now());
    log.info({ ...about, attempts: mail.attempts }, "mail sent");
  } catch (err) {
    const delayMs = mailDelaysMs[mail.attempts - 1];
    const dueAt = delayMs === undefined ? null : new Date(now().getTime() + delayMs);
    await noteNotSent(db, mail.id, { why: String(err), dueAt });
    log.warn({ ...about, err, dueAt }, dueAt === null ? "mail given up" : "mail could not be sent");
  }
}

/** A mail may have waited for days: nobody is asked to sign what is signed, cancelled or expired. */
function isWanted({ kind }: QueuedMail, request: SignatureRequest, signer: Signer, now: Date): boolean {
  if (kind === "completion") return request.status === "completed";
  return isLive(request, now) && !hasSigned(signer);
}

function composed({ link, from }: Deps, mail: QueuedMail, request: SignatureRequest, signer: Signer) {
  const url = link.urlOf(signer.id);
  const words = mailWords({
    kind: mail.kind,
    title: request.title,
    signerName: signer.name,
    message: request.message,
    expiresAt: request.expiresAt,
    url,
  });
  return {
    from,
    to: { name: signer.name, address: signer.email },
    subject: words.subject,
    text: mailText(words, url),
    html: mailHtml(words, url),
    messageId: messageId(mail.cause, from),
    // Asks programs that answer for people who are away not to (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  };
}

/** The same for every try, so that a mail sent twice after a crash is known as one. */
function messageId(cause: string, from: string): string {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
  return `<${createHash("sha256").update(cause).digest("hex").slice(0, 32)}@${domain}>`;
}
