import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "../../platform/contracts/failures.ts";
import { maxFileBytes, maxFiles } from "../../platform/contracts/http-api/file-input.ts";

/** What a body may hold beside its files. */
export const maxFieldBytes = 1024 * 1024;

/** Base64 makes four bytes of three, and line breaks after 76 characters one or two more of each 76. */
const maxBodyBytes = Math.ceil(maxFiles * maxFileBytes * (4 / 3) * (78 / 76)) + maxFieldBytes;

/** Without a byte for so long, the client counts as gone. */
const idleMs = 30_000;

/**
 * The bytes of a request's body. The client is told to go on only now, so that one who waits for that
 * (`Expect: 100-continue`) never sends a body that was refused by its headers.
 * @throws Failure body_too_large
 */
export async function* arriving(
  request: IncomingMessage,
  response: ServerResponse,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  if (request.headers.expect !== undefined) response.writeContinue();
  const giveUp = () => request.destroy(new Failure("invalid_json", "The body stopped arriving."));
  request.setTimeout(idleMs, giveUp);
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge();
      yield chunk;
    }
  } finally {
    request.setTimeout(0);
  }
}

function tooLarge(): Failure {
  return new Failure(
    "body_too_large",
    `The body is larger than ${maxFiles} files of ${maxFileBytes / 1024 / 1024} MB need. Send fewer or smaller files.`,
  );
}
