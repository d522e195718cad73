import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyConfig, type BusboyInstance } from "@fastify/busboy";
import { Failure } from "../../platform/contracts/failures.ts";
import type { UploadedFile } from "../../platform/contracts/http-api/file-input.ts";
import { maxFieldBytes } from "./arriving.ts";
import type { Intake } from "./intake.ts";

type Form = { fields: Record<string, string>; files: (UploadedFile | null)[] };

/**
 * `multipart/form-data` (RFC 7578): every part with a file name is a file, whatever its name; a part named as a
 * field of base64 may hold that; every other part is a field.
 * @throws Failure invalid_json if the form is broken or ends early, body_too_large
 */
export async function readMultipart(
  source: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
  intake: Intake,
): Promise<Form> {
  const parser = openParser(headers);
  const stop = new AbortController();
  const fields = new Map<string, string>();
  const taken: Promise<UploadedFile | null>[] = [];
  parser.on("field", (name: string, value: string, nameTruncated: boolean, valueTruncated: boolean) => {
    if (nameTruncated || valueTruncated) stop.abort(fieldsTooLarge());
    fields.set(name, value);
  });
  parser.on("file", (name: string, stream: Readable, filename: string | undefined) => {
    const file =
      filename === undefined && isBase64Field(name) ? fromBase64(name, stream) : fromBytes(name, stream);
    file.catch((error) => stop.abort(error));
    taken.push(file);
  });
  const fromBytes = (name: string, stream: Readable) => intake.takeBytes(name, stream);
  const fromBase64 = (name: string, stream: Readable) =>
    intake.takeBase64(name, stream[Symbol.asyncIterator]());
  for (const limit of ["partsLimit", "fieldsLimit"] as const)
    parser.on(limit, () => stop.abort(fieldsTooLarge()));
  await pipeline(source, parser, { signal: stop.signal }).catch((error) => {
    throw stop.signal.aborted ? stop.signal.reason : brokenForm(error);
  });
  return { fields: Object.fromEntries(fields), files: await Promise.all(taken) };
}

function openParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyConfig["headers"],
      limits: { fieldSize: maxFieldBytes, fieldNameSize: 100, fields: 50, parts: 100, headerPairs: 50 },
      isPartAFile: (name, contentType, filename) =>
        filename !== undefined || contentType === "application/octet-stream" || isBase64Field(name),
    });
  } catch (cause) {
    throw new Failure("unsupported_media_type", "The Content-Type of the form names no boundary.", { cause });
  }
}

function isBase64Field(name: string | undefined): boolean {
  return name?.endsWith("_base64") === true;
}

function brokenForm(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return new Failure("invalid_json", "The form is broken, or it ends early.", { cause });
}

function fieldsTooLarge(): Failure {
  return new Failure("body_too_large", `The form has too many fields, or one over ${maxFieldBytes} bytes.`);
}
