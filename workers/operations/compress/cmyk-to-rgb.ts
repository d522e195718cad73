/** Print colours as screen colours, by the profile that comes with them, or by libvips' own for CMYK without one. */
import sharp from "sharp";
import type { Samples } from "./image-samples.ts";

const tiffHeaderBytes = 8;
const short = 3;
const long = 4;
const undefinedBytes = 7;

/** RGB of CMYK samples. libvips takes raw CMYK only inside a file, and TIFF is the plainest one. */
export async function cmykToRgb(
  cmyk: Uint8Array,
  width: number,
  height: number,
  profile?: Uint8Array,
): Promise<Samples> {
  const data = await sharp(tiff(cmyk, width, height, profile), { limitInputPixels: false })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer();
  return { data, width, height, channels: 3 };
}

/** An uncompressed TIFF of one strip (TIFF 6.0, section 16), little-endian. */
function tiff(cmyk: Uint8Array, width: number, height: number, profile: Uint8Array | undefined): Buffer {
  const bitsAt = tiffHeaderBytes + cmyk.length;
  const profileAt = bitsAt + 8;
  const directoryAt = profileAt + (profile?.length ?? 0);
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, 4, bitsAt],
    [259, short, 1, 1],
    [262, short, 1, 5],
    [273, long, 1, tiffHeaderBytes],
    [277, short, 1, 4],
    [278, long, 1, height],
    [279, long, 1, cmyk.length],
    ...(profile
      ? [[34675, undefinedBytes, profile.length, profileAt] as [number, number, number, number]]
      : []),
  ];
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(directoryAt, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    if (type === short && count === 1) directory.writeUInt16LE(value, at + 8);
    else directory.writeUInt32LE(value, at + 8);
  }
  const bits = Buffer.from([8, 0, 8, 0, 8, 0, 8, 0]);
  return Buffer.concat([header, cmyk, bits, profile ?? Buffer.alloc(0), directory]);
}
