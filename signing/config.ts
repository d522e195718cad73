import { availableParallelism } from "node:os";
import { z } from "zod";
import { readEnv, text, variable, wholeNumber } from "../platform/read-env.ts";

const bytes32 = z
  .base64()
  .transform((given) => Buffer.from(given, "base64"))
  .refine(({ length }) => length === 32);

/** The signing service's environment. deploy/.env.example says when to change what. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  return readEnv(environment, {
    NATS_URL: variable(text, "set it to the broker, e.g. nats://nats:4222"),
    DATABASE_URL: variable(text, "set it to the MySQL server, e.g. mysql://root@mysql:3306/pdf"),
    BLOB_URL: variable(text, "set it to where files lie, e.g. file:///data/blobs or s3://bucket/prefix"),
    DATA_DIR: variable(text, "set it to a folder that survives, e.g. /data"),
    SECRETS_KEY: variable(bytes32, "set it to 32 bytes in base64; make them with: openssl rand -base64 32"),
    SIGNING_LINK_KEY: variable(
      bytes32.nullable(),
      "set it to 32 bytes in base64, or leave it out: links are then made with a key derived from SECRETS_KEY",
      null,
    ),
    PUBLIC_BASE_URL: variable(
      z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
      "set it to what signers see, e.g. https://sign.example.com",
      "http://localhost:8080",
    ),
    SMTP_URL: variable(
      z.url({ protocol: /^smtps?$/ }).nullable(),
      "set it to a mail server, e.g. smtp://user:password@mail:587, or leave it out: mails become files",
      null,
    ),
    MAIL_FROM: variable(
      text,
      "set it to a sender, e.g. Signatures <sign@example.com>",
      "Signatures <no-reply@localhost>",
    ),
    SIGNING_P12: variable(text.nullable(), "set it to the path of a PKCS #12 file, or leave it out", null),
    SIGNING_P12_PASSWORD: variable(z.string(), "set it to the password of SIGNING_P12", ""),
    SIGNING_NAME: variable(
      text,
      "set it to the name on a certificate of the service's own",
      "Document signing service",
    ),
    TSA_URL: variable(
      z.url({ protocol: /^https?$/ }).nullable(),
      "set it to an RFC 3161 authority, e.g. https://tsa.example.com, or leave it out: seals are then PAdES B-B",
      null,
    ),
    TSA_MODE: variable(
      z.enum(["required", "best_effort"]),
      "set it to required (no seal without a timestamp) or best_effort",
      "required" as const,
    ),
    SEAL_THREADS: variable(
      wholeNumber.refine((threads) => threads > 0),
      "set it to how many PDFs are read and sealed at once",
      Math.min(4, availableParallelism()),
    ),
    LOG_LEVEL: variable(text, "set it to debug, info, warn or error", "info"),
    HEALTH_PORT: variable(wholeNumber, "set it to a port, 0 for a free one", 0),
    HOST: variable(text, "set it to the address to listen at, 0.0.0.0 in a container", "127.0.0.1"),
  });
}

export type Config = ReturnType<typeof readConfig>;
