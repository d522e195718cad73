import type { MailKind } from "../requests/change.ts";

/** What a mail is about. */
export type MailFacts = {
  kind: MailKind;
  title: string;
  signerName: string;
  /** The sender's own words; null for none. */
  message: string | null;
  expiresAt: Date;
  /** The signer's link. */
  url: string;
};

/** Everything that a mail says, before it is laid out: one list, for the HTML and for the plain text. */
export type MailWords = {
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  quote: string | null;
  button: string;
  afterButton: string;
  small: readonly string[];
};

const date = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

export function mailWords({ kind, title, signerName, message, expiresAt }: MailFacts): MailWords {
  const greeting = `Hello ${signerName},`;
  const until = `The link works until ${date.format(expiresAt)} UTC.`;
  const personal =
    "This link is yours alone: whoever has it can sign in your name, so please do not pass it on.";
  switch (kind) {
    case "invitation":
      return {
        subject: `Please sign: ${title}`,
        greeting,
        paragraphs: [`You have been asked to sign “${title}”.`],
        quote: message,
        button: "Review and sign",
        afterButton: until,
        small: [personal, "If you did not expect this request, you can ignore this e-mail."],
      };
    case "reminder":
      return {
        subject: `Reminder: please sign ${title}`,
        greeting,
        paragraphs: [`“${title}” is still waiting for your signature.`],
        quote: message,
        button: "Review and sign",
        afterButton: until,
        small: [personal, "If you did not expect this request, you can ignore this e-mail."],
      };
    case "completion":
      return {
        subject: `Signed by everyone: ${title}`,
        greeting,
        paragraphs: [
          `Everyone has signed “${title}”.`,
          "The signed document carries an electronic seal that shows any later change.",
        ],
        quote: null,
        button: "Download the signed document",
        afterButton: "Keep the file: it can be checked without this service.",
        small: ["This link is yours alone. Please do not pass it on."],
      };
  }
}
