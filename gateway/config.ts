import { z } from "zod";
import { commaList, readEnv, text, variable, wholeNumber } from "../platform/read-env.ts";

const bytes32 = z
  .base64()
  .transform((given) => Buffer.from(given, "base64"))
  .refine(({ length }) => length === 32);
const positive = wholeNumber.refine((count) => count > 0);

/** The gateway's environment. deploy/.env.example says when to change what. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  return readEnv(environment, {
    NATS_URL: variable(text, "set it to the broker, e.g. nats://nats:4222"),
    DATABASE_URL: variable(text, "set it to the MySQL server, e.g. mysql://root@mysql:3306/pdf"),
    BLOB_URL: variable(text, "set it to where files lie, e.g. file:///data/blobs or s3://bucket/prefix"),
    SECRETS_KEY: variable(bytes32, "set it to 32 bytes in base64; make them with: openssl rand -base64 32"),
    PORT: variable(wholeNumber, "set it to a port, 0 for a free one", 8080),
    HOST: variable(text, "set it to the address to listen at, 0.0.0.0 in a container", "127.0.0.1"),
    PUBLIC_BASE_URL: variable(
      z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
      "set it to what customers see, e.g. https://pdf.example.com",
      "http://localhost:8080",
    ),
    TRUSTED_PROXIES: variable(
      wholeNumber,
      "set it to how many proxies of yours stand before the gateway: as many entries of X-Forwarded-For are believed",
      0,
    ),
    RATE_LIMIT_PER_MINUTE: variable(positive, "set it to the calls a minute of an account", 60),
    SYNC_WAIT_SECONDS: variable(wholeNumber, "set it to how long a call waits for its job", 120),
    QUEUE_LIMIT: variable(positive, "set it to how many jobs may wait in all", 10_000),
    QUEUE_LIMIT_PER_ACCOUNT: variable(positive, "set it to how many jobs of one account may wait", 2000),
    URL_ALLOWED_HOSTS: variable(commaList, "set it to private hosts that URLs may name, comma-separated", []),
    LOG_LEVEL: variable(text, "set it to debug, info, warn or error", "info"),
  });
}

export type Config = ReturnType<typeof readConfig>;
