import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { PDFContext, PDFRawStream } from "pdf-lib";
import t from "tap";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";

const megabyte = 2 ** 20;

t.test("unpacking a stream", async (t) => {
  t.test("gives back what was deflated, also without its checksum", async () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (plain) => {
        const packed = deflateSync(plain);
        const damaged = Buffer.from(packed);
        damaged[damaged.length - 1] = ~(damaged.at(-1) ?? 0);
        for (const data of [packed, damaged, packed.subarray(0, -4)]) {
          const unpacked = decodeStream(stream(data, { Filter: "FlateDecode" }), megabyte);
          if (unpacked === undefined || Buffer.compare(unpacked, plain) !== 0) throw new Error("differs");
        }
      }),
    );
  });

  const table: [name: string, data: string, dict: Record<string, unknown>, plain: string][] = [
    ["base 85", '87cURD]i,"Ebo80~>', { Filter: "ASCII85Decode" }, "Hello World!"],
    ["hexadecimal", "48 65 6C6c 6F>", { Filter: "ASCIIHexDecode" }, "Hello"],
    ["run lengths", "\x02abc\xfex\x80", { Filter: "RunLengthDecode" }, "abcxxx"],
    ["LZW", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", { Filter: "LZWDecode" }, "-----A---B"],
    ["no filter", "plain", {}, "plain"],
    ["a chain", "789c4bcc2a01>", { Filter: ["ASCIIHexDecode"] }, "x\x9cK\xcc*\x01"],
  ];
  for (const [name, data, dict, plain] of table) {
    t.test(`understands ${name}`, async (t) => {
      const unpacked = decodeStream(stream(Buffer.from(data, "latin1"), dict), megabyte);
      t.equal(Buffer.from(unpacked ?? []).toString("latin1"), plain);
    });
  }

  t.test("undoes PNG's row filters", async (t) => {
    // Two rows of three: as they are, and each the difference from the one above.
    const rows = deflateSync(Uint8Array.of(0, 1, 2, 3, 2, 1, 1, 1));
    const dict = { Filter: "FlateDecode", DecodeParms: { Predictor: 15, Columns: 3 } };
    t.same([...(decodeStream(stream(rows, dict), megabyte) ?? [])], [1, 2, 3, 2, 3, 4]);
  });

  t.test("stops at the cap instead of filling the memory", async (t) => {
    const once = deflateSync(Buffer.alloc(8 * megabyte));
    t.throws(() => decodeStream(stream(once, { Filter: "FlateDecode" }), megabyte), { code: "too_complex" });
    const runs = Buffer.alloc(64 * 1024, 0x81);
    t.throws(() => decodeStream(stream(runs, { Filter: "RunLengthDecode" }), megabyte), {
      code: "too_complex",
    });
  });

  t.test("leaves to others what it does not know", async (t) => {
    t.equal(decodeStream(stream(Buffer.from("x"), { Filter: "DCTDecode" }), megabyte), undefined);
    t.equal(decodeStream(stream(Buffer.from("not flate"), { Filter: "FlateDecode" }), megabyte), undefined);
  });
});

function stream(data: Uint8Array, dict: Record<string, unknown>): PDFRawStream {
  const context = PDFContext.create();
  return PDFRawStream.of(context.obj(dict as Parameters<typeof context.obj>[0]) as never, data);
}
