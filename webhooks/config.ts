import { z } from "zod";
import { commaList, readEnv, text, variable, wholeNumber } from "../platform/read-env.ts";
import { retryDelaysMs } from "./delivering/retry-schedule.ts";

const seconds = z.coerce.number<string>().positive();
const secondsList = commaList.pipe(z.array(seconds).min(1));

/** What the webhooks service reads from its environment. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  return readEnv(environment, {
    NATS_URL: variable(text, "set it to the broker, e.g. nats://nats:4222"),
    DATABASE_URL: variable(text, "set it to the database, e.g. mysql://user:password@mysql:3306/pdf"),
    BLOB_URL: variable(text, "set it to where files lie, e.g. file:///data/blobs"),
    DATA_DIR: variable(text, "set it to a folder that lasts, e.g. /data"),
    SECRETS_KEY: variable(
      text.transform((key) => Buffer.from(key, "base64")),
      "set it to 32 bytes in base64, the same for all services: openssl rand -base64 32",
    ),
    URL_ALLOWED_HOSTS: variable(commaList, "list private hosts that may be used, separated by commas", []),
    LOG_LEVEL: variable(
      z.enum(["debug", "info", "warn", "error"]),
      "set it to debug, info, warn or error",
      "info",
    ),
    HOST: variable(text, "set it to the address to listen at, 0.0.0.0 in a container", "127.0.0.1"),
    HEALTH_PORT: variable(wholeNumber, "set it to a port, 0 for a free one", 0),
    SMTP_URL: variable(text.nullable(), "set it to the mail server, e.g. smtps://user:password@host", null),
    MAIL_FROM: variable(text, "set it to the sender of mails", "PDF service <no-reply@localhost>"),
    WEBHOOK_RETRY_SECONDS: variable(
      secondsList,
      "list the waits between tries in seconds, separated by commas",
      retryDelaysMs.map((ms) => ms / 1000),
    ),
    WEBHOOK_SWEEP_SECONDS: variable(
      seconds,
      "set it to how often disabled webhooks are looked at, in seconds",
      15,
    ),
    WEBHOOK_CONCURRENCY: variable(wholeNumber, "set it to the attempts at once to one webhook", 4),
    WEBHOOK_SLOTS: variable(wholeNumber, "set it to the attempts at once in this process", 1024),
  });
}

export type Config = ReturnType<typeof readConfig>;
