import { Failure } from "../../platform/contracts/failures.ts";
import type { ByteCursor } from "./byte-cursor.ts";

const quote = 0x22;
const backslash = 0x5c;
/** What RFC 8259 §7 lets follow a backslash, besides `u`. PHP writes `\/` and .NET `\u002B` into base64. */
const shortEscapes: Record<string, number> = {
  '"': quote,
  "\\": backslash,
  "/": 0x2f,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
};
/** Stands for characters beyond one byte. It is in no alphabet of base64. */
const notLatin1 = 0xff;

/**
 * The content of a JSON string whose opening quote was read, unescaped, as it arrives; the closing quote is read too.
 * Pieces are parts of the stream's own chunks and may be written over.
 * @throws Failure invalid_json if the string does not end
 */
export async function* jsonString(cursor: ByteCursor): AsyncGenerator<Buffer, void, void> {
  // An escape that one chunk began and the next must end.
  let pending = "";
  while (await cursor.more()) {
    const { unread } = cursor;
    const end = unread.indexOf(quote);
    const plain = end === -1 ? unread : unread.subarray(0, end);
    if (pending === "" && !plain.includes(backslash)) {
      cursor.skip(plain.length + (end === -1 ? 0 : 1));
      yield plain;
      if (end !== -1) return;
      continue;
    }
    const part = unescapeInPlace(unread, pending);
    cursor.skip(part.read);
    yield unread.subarray(0, part.written);
    if (part.ended) return;
    pending = part.pending;
  }
  throw new Failure("invalid_json", "The body ends inside a string. Send the whole JSON document.");
}

/** Unescapes in place up to the closing quote or the end of the bytes. */
function unescapeInPlace(bytes: Buffer, begun: string) {
  let pending = begun;
  let written = 0;
  for (let read = 0; read < bytes.length; read++) {
    const byte = bytes[read] as number;
    if (pending !== "") {
      pending += String.fromCharCode(byte);
      const code = escapedCode(pending);
      if (code === undefined) continue;
      bytes[written++] = code;
      pending = "";
    } else if (byte === backslash) pending = "\\";
    else if (byte === quote) return { read: read + 1, written, ended: true, pending };
    else bytes[written++] = byte;
  }
  return { read: bytes.length, written, ended: false, pending };
}

/** The byte that an escape stands for; undefined while it is incomplete. */
function escapedCode(sequence: string): number | undefined {
  if (sequence[1] !== "u") {
    const code = shortEscapes[sequence[1] ?? ""];
    if (code === undefined) throw badEscape();
    return code;
  }
  if (sequence.length < 6) return undefined;
  if (!/^\\u[0-9a-fA-F]{4}$/.test(sequence)) throw badEscape();
  const code = Number.parseInt(sequence.slice(2), 16);
  return Math.min(code, notLatin1);
}

function badEscape(): Failure {
  return new Failure(
    "invalid_json",
    "The body is not valid JSON: a string has an escape that JSON does not know.",
  );
}
