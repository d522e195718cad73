/** A signature sent as a PNG, decoded under bounds. */
import sharp from "sharp";

/** Straight alpha; one byte a channel, rows from the top. */
export type Picture = { width: number; height: number; rgb: Uint8Array; alpha: Uint8Array };

export type ReadPicture = { ok: true; picture: Picture } | { ok: false; message: string };

const maxBytes = 2 * 2 ** 20;
// 4,000 × 2,000: a signature at 600 dpi is 2,400 × 900.
const maxPixels = 8_000_000;
const pngMagic = "89504e470d0a1a0a";

export async function readPicture(pngBase64: string): Promise<ReadPicture> {
  if (pngBase64.length > maxBytes * 1.4) return refused(`is larger than ${maxBytes / 2 ** 20} MB`);
  const png = Buffer.from(pngBase64.replace(/^data:image\/png;base64,/, ""), "base64");
  // Other formats have no business here, and sharp would read many.
  if (png.toString("hex", 0, 8) !== pngMagic) return refused("is not a PNG");
  if (png.length < 24 || png.readUInt32BE(16) * png.readUInt32BE(20) > maxPixels) {
    return refused(`has more than ${maxPixels / 1e6} million pixels`);
  }
  try {
    return split(await decode(png));
  } catch {
    return refused("cannot be decoded");
  }
}

function refused(why: string): ReadPicture {
  return { ok: false, message: `The picture ${why}; send a PNG of the signature.` };
}

type Raw = { data: Buffer; width: number; height: number };

async function decode(png: Buffer): Promise<Raw> {
  const { data, info } = await sharp(png, { limitInputPixels: maxPixels, failOn: "error" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function split({ data, width, height }: Raw): ReadPicture {
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  let seen = 0;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    rgb.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
    alpha[pixel] = data[pixel * 4 + 3] ?? 0;
    seen |= alpha[pixel] ?? 0;
  }
  if (seen === 0) return refused("is wholly transparent");
  return { ok: true, picture: { width, height, rgb, alpha } };
}
