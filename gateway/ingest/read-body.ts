import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobOwner } from "../../platform/contracts/blob.ts";
import { Failure, type Fault, validationFailure } from "../../platform/contracts/failures.ts";
import { arriving, maxFieldBytes } from "./arriving.ts";
import { filePlaces, pathText } from "./file-places.ts";
import { createIntake, type Intake } from "./intake.ts";
import { readMultipart } from "./read-multipart.ts";
import { scanJson } from "./scan-json.ts";

/** A body as it came, its files in the blob store. */
export type ReceivedBody = {
  fields: unknown;
  /** The fields came as text, from a form or a query: `"true"` may mean true. */
  isText: boolean;
  /** What was wrong with files, found while they arrived. */
  faults: readonly Fault[];
};

type Wanted = {
  /** As a route's `files`. */
  files: readonly string[];
  /** Media types of a body that is the file itself; `image/*` is understood. */
  rawTypes: readonly string[];
  /** Whom the files shall belong to. */
  owner: BlobOwner;
};

/**
 * Reads a request's body in any of the forms that the API takes. When it throws, some files may be in the blob store
 * already: whoever chose their owner removes them.
 * @throws Failure unsupported_media_type, invalid_json, body_too_large, file_too_large, validation_failed
 */
export type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  wanted: Wanted,
) => Promise<ReceivedBody>;

export function createReadBody(blobs: BlobStore): ReadBody {
  return async function readBody(request, response, { files, rawTypes, owner }) {
    const form = formOf(request, rawTypes);
    const intake = createIntake(blobs, owner);
    const places = filePlaces(files);
    const bytes = arriving(request, response);
    if (form === "json") {
      const fields = await readJson(bytes, places.isFile, intake);
      return { fields, isText: false, faults: intake.faults };
    }
    const { fields, files: taken } =
      form === "multipart"
        ? await readMultipart(bytes, request.headers, intake)
        : { fields: queryOf(request), files: [await intake.takeBytes("body", bytes)] };
    if (taken.length > 1 && !files.some((pattern) => pattern.includes("[]")))
      throw validationFailure(files[0] ?? "body", "the form holds more than one file");
    return { fields: places.place(fields, taken), isText: true, faults: intake.faults };
  };
}

function readJson(
  bytes: AsyncIterable<Uint8Array>,
  isFile: ReturnType<typeof filePlaces>["isFile"],
  intake: Intake,
) {
  return scanJson(bytes, {
    isFile,
    takeFile: (path, base64) => intake.takeBase64(pathText(path), base64),
    maxBytes: maxFieldBytes,
  });
}

function formOf({ headers }: IncomingMessage, rawTypes: readonly string[]): "json" | "multipart" | "raw" {
  const [type = "", ...parameters] = (headers["content-type"] ?? "application/json")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.replace(/^charset="?|"$/g, "");
  const encoded = ![undefined, "identity"].includes(headers["content-encoding"]?.toLowerCase());
  if (
    !encoded &&
    /^application\/([a-z0-9.-]+\+)?json$/.test(type) &&
    [undefined, "utf-8", "utf8"].includes(charset)
  )
    return "json";
  if (!encoded && type === "multipart/form-data") return "multipart";
  if (!encoded && rawTypes.some((raw) => raw === type || (raw === "image/*" && type.startsWith("image/"))))
    return "raw";
  const also = rawTypes.map((raw) => ` or ${raw}`).join("");
  throw new Failure(
    "unsupported_media_type",
    `Send application/json in UTF-8, multipart/form-data${also}, not compressed.`,
  );
}

function queryOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URL(request.url ?? "", "http://gateway").searchParams);
}
