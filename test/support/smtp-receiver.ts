import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Test } from "tap";

export type SmtpReceiver = {
  url: string;
  mails: Email[];
  /** Resolves with the mails to this address once there are `count` of them. */
  mailsTo: (address: string, count?: number) => Promise<Email[]>;
  /** While true, every mail is refused for the time being. */
  refuse: boolean;
  refusals: number;
};

/** A mail server of the test's own, on a free port. */
export async function startSmtpReceiver(t: Test): Promise<SmtpReceiver> {
  const waiting = new Set<() => void>();
  const receiver: SmtpReceiver = { url: "", mails: [], mailsTo, refuse: false, refusals: 0 };

  function received(address: string): Email[] {
    return receiver.mails.filter(({ to }) => to?.some((one) => one.address === address));
  }

  async function mailsTo(address: string, count = 1): Promise<Email[]> {
    while (received(address).length < count) {
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
    return received(address);
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onMailFrom(_address, _session, done) {
      if (receiver.refuse) receiver.refusals++;
      done(receiver.refuse ? Object.assign(new Error("try later"), { responseCode: 451 }) : null);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        receiver.mails.push(await PostalMime.parse(Buffer.concat(chunks)));
        done();
        for (const tell of waiting) tell();
        waiting.clear();
      });
    },
  });
  // A sender that is killed resets its connection; that is no fault of the test's.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  receiver.url = `smtp://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return receiver;
}
