import { pino } from "pino";

export type Logger = {
  debug: Line;
  info: Line;
  warn: Line;
  error: Line;
  fatal: Line;
  child(fields: Record<string, unknown>): Logger;
};
type Line = (fields: Record<string, unknown>, message: string) => void;

/** Fields that may hold a secret or a file, whatever object they come in. */
const secretFields = [
  "authorization",
  "token",
  "secret",
  "webhook_secret",
  "webhookSecret",
  "password",
  "pdf_base64",
  "file_base64",
  "sign_url",
];

/** JSON lines on standard output: events as data, in past tense. Errors are given as `err`. */
export function createLog(service: string, level = "info"): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: "[secret]",
    },
  });
}
