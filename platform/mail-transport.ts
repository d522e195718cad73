import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Logger } from "./log.ts";

/** Sends a mail, or rejects so that it can be tried again. */
export type MailTransport = {
  send: (mail: SendMailOptions) => Promise<void>;
  close: () => void;
};

/** Through a mail server. A server that does not answer is given up on before the hold on the mail runs out. */
export function smtpTransport(url: string): MailTransport {
  const address = new URL(url);
  const transport = createTransport({
    url: address.href,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
  return {
    send: async (mail) => void (await transport.sendMail(mail)),
    close: () => transport.close(),
  };
}

/** Where no mail server is set: each mail becomes a file that mail programs open. */
export function folderTransport(folder: string, log: Logger): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const { message } = await transport.sendMail({
        ...mail,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replace(/[:.]/g, "-")}-${String(mail.messageId).replace(/\W+/g, "")}`;
      // Under another name while it is written, so that whoever watches the folder reads whole mails.
      const temporary = join(folder, `.${name}`);
      await writeFile(temporary, message as Buffer, { mode: 0o600 });
      await rename(temporary, join(folder, `${name}.eml`));
      log.info({ file: join(folder, `${name}.eml`) }, "mail written to a file; set SMTP_URL to send mails");
    },
    close: () => transport.close(),
  };
}
