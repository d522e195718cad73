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
  let parserError: unknown;
  const parts: { stream: Readable; taken: Promise<UploadedFile | null> }[] = [];
  parser.on("field", (name: string, value: string, nameTruncated: boolean, valueTruncated: boolean) => {
    if (nameTruncated || valueTruncated) stop.abort(fieldsTooLarge());
    fields.set(name, value);
  });
  parser.on("file", (name: string, stream: Readable, filename: string | undefined) => {
    // The parser only tells of an error, and nobody may be reading yet: it must stay in the stream until somebody does.
    stream.on("error", (error) => {
      parserError ??= error;
      stream.destroy(error);
    });
    const isBase64 = filename === undefined && isBase64Field(name);
    const taken = isBase64
      ? intake.takeBase64(name, stream[Symbol.asyncIterator]())
      : intake.takeBytes(name, stream);
    taken.catch((error) => stop.abort(error));
    parts.push({ stream, taken });
  });
  for (const limit of ["partsLimit", "fieldsLimit"] as const)
    parser.on(limit, () => stop.abort(fieldsTooLarge()));
  try {
    await pipeline(source, parser, { signal: stop.signal });
    const files = await Promise.all(parts.map(({ taken }) => taken));
    return { fields: Object.fromEntries(fields), files };
  } catch (error) {
    // Whoever removes what was stored must come after the last that is stored.
    for (const { stream } of parts) stream.destroy(brokenForm(error));
    await Promise.allSettled(parts.map(({ taken }) => taken));
    const { aborted, reason } = stop.signal;
    throw aborted && reason !== parserError ? reason : brokenForm(error);
  }
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
