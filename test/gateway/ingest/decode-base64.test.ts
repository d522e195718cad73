import fc from "fast-check";
import t from "tap";
import { BadBase64, createBase64Decoder } from "../../../gateway/ingest/decode-base64.ts";

/** Decodes a text that arrives in the given pieces. */
function decode(pieces: readonly string[]): Buffer {
  const decoder = createBase64Decoder();
  // Each piece in a buffer of its own, since it is written over.
  const decoded = pieces.map((piece) => Buffer.from(decoder.write(Buffer.from(piece, "latin1"))));
  return Buffer.concat([...decoded, decoder.end()]);
}

function isRefused(pieces: readonly string[]): boolean {
  try {
    decode(pieces);
    return false;
  } catch (error) {
    return error instanceof BadBase64;
  }
}

function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (const length of lengths) {
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return [...pieces, rest];
}

const lengths = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 });
const writings: Record<string, (bytes: Buffer) => string> = {
  standard: (bytes) => bytes.toString("base64"),
  "without padding": (bytes) => bytes.toString("base64").replace(/=+$/, ""),
  "URL-safe": (bytes) => bytes.toString("base64url"),
  "with line breaks": (bytes) => bytes.toString("base64").replace(/(.{7})/g, "$1\r\n "),
  "with a data: prefix": (bytes) => `data:application/pdf;base64,${bytes.toString("base64")}`,
};

for (const [name, write] of Object.entries(writings)) {
  t.test(`base64 ${name} gives the bytes, wherever it is cut on its way`, async () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), lengths, (bytes, where) => {
        return decode(cut(write(Buffer.from(bytes)), where)).equals(Buffer.from(bytes));
      }),
    );
  });
}

t.test("what is not base64 is refused, and never decoded to something else", async (t) => {
  const faults = [
    ["AAA*", /not base64/],
    ["AAAA*B", /not base64/],
    ["AA=A", /not base64/],
    ["AAAA=", /wrong padding/],
    ["QQ=", /wrong padding/],
    ["AAAA====", /wrong padding/],
    ["AAAAA", /cut off/],
    ["QQ==QQ==", /not base64/],
    ["AA\u00ffA", /not base64/],
    ["data:application/pdf,AAAA", /data: prefix/],
    ["data:application/pdf;base64", /data: prefix/],
    [`data:${"x".repeat(300)}`, /data: prefix/],
  ] as const;
  for (const [text, message] of faults) {
    for (const pieces of [[text], [...text], [text.slice(0, 4), text.slice(4)]]) {
      t.ok(isRefused(pieces), pieces.join("|"));
    }
    t.throws(() => decode([text]), { message });
  }
  t.throws(() => decode(["QQ==", "QQ=="]), { message: /after its padding/ });
});

t.test("a large file loses nothing in pieces of odd sizes", async (t) => {
  const bytes = Buffer.from(Array.from({ length: 300_001 }, (_, index) => (index * 31) % 251));
  const text = bytes.toString("base64");
  const pieces = cut(
    text,
    Array.from({ length: 6 }, (_, index) => 65_536 - index),
  );
  t.ok(decode(pieces).equals(bytes));
});
