import fc from "fast-check";
import t from "tap";
import { decodeBmp } from "../../../workers/operations/ocr/bmp.ts";

/** A file header and a BITMAPINFOHEADER before palette and pixels. */
function bmp(
  {
    width,
    height,
    bits,
    compression = 0,
  }: { width: number; height: number; bits: number; compression?: number },
  tail: { palette?: number[]; pixels: number[] },
): Uint8Array {
  const palette = tail.palette ?? [];
  const head = Buffer.alloc(54);
  head.write("BM", "latin1");
  head.writeUInt32LE(54 + palette.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeInt32LE(11_811, 38);
  return Buffer.concat([head, Buffer.from(palette), Buffer.from(tail.pixels)]);
}

// Blue, green, red, unused: black and orange.
const palette = [0, 0, 0, 0, 0, 128, 255, 0];
const [black, orange] = [
  [0, 0, 0],
  [255, 128, 0],
];

t.test("Windows bitmaps", async (t) => {
  const table: [title: string, file: Uint8Array, pixels: (number[] | undefined)[]][] = [
    [
      "of one bit a pixel, stored from the bottom",
      bmp({ width: 2, height: 2, bits: 1 }, { palette, pixels: [0b01000000, 0, 0, 0, 0b10000000, 0, 0, 0] }),
      [orange, black, black, orange],
    ],
    [
      "of four bits, stored from the top",
      bmp({ width: 2, height: -2, bits: 4 }, { palette, pixels: [0x01, 0, 0, 0, 0x10, 0, 0, 0] }),
      [black, orange, orange, black],
    ],
    [
      "of 24 bits",
      bmp({ width: 1, height: 2, bits: 24 }, { pixels: [3, 2, 1, 0, 6, 5, 4, 0] }),
      [
        [4, 5, 6],
        [1, 2, 3],
      ],
    ],
    [
      "of 16 bits",
      bmp({ width: 2, height: 1, bits: 16 }, { pixels: [0x00, 0x7c, 0x1f, 0x00] }),
      [
        [255, 0, 0],
        [0, 0, 255],
      ],
    ],
    [
      "run-length coded",
      bmp(
        { width: 3, height: 2, bits: 8, compression: 1 },
        { palette, pixels: [2, 1, 1, 0, 0, 0, 0, 3, 1, 0, 1, 0, 0, 1] },
      ),
      [orange, black, orange, orange, orange, black],
    ],
  ];
  for (const [title, file, pixels] of table) {
    t.test(title, async (t) => {
      const decoded = decodeBmp(file);
      t.same([...(decoded?.rgb ?? [])], pixels.flat());
      t.equal(decoded?.dpi, 300);
    });
  }

  t.test("that are damaged are refused or half grey, never an error", async () => {
    const size = fc.integer({ min: -20, max: 20 });
    const layout = fc.record({ width: size, height: size, bits: fc.nat(40), compression: fc.nat(7) });
    fc.assert(
      fc.property(layout, fc.array(fc.nat(255), { maxLength: 60 }), (header, pixels) => {
        decodeBmp(bmp(header, { pixels }));
      }),
    );
  });
});
