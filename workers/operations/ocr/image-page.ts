/** An image as the whole of a PDF page, its pixels kept: JPEG as it came, everything else without loss. */
import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { type PDFDocument, PDFName, type PDFPage, type PDFRef } from "pdf-lib";
import type { Sharp } from "sharp";
import type { ImageKind } from "./ocr-phases.ts";
import { openImage } from "./open-image.ts";

// A file that does not state its resolution is a scan when it is large, a screen shot when it is not.
const [scanDpi, screenDpi, scanSide] = [300, 96, 1800];
// ISO 32000-1 annex C.2.
const mostPoints = 14_400;

type Picture = {
  data: Uint8Array;
  width: number;
  height: number;
  filter: string;
  grey: boolean;
  bits: 1 | 8;
};

/** Adds page `page` of an image file to a document. Throws `invalid_image` or `too_complex`. */
export async function addImagePage(
  document: PDFDocument,
  file: { path: string; kind: ImageKind; page: number },
): Promise<PDFPage> {
  const image = await openImage(file.path, file.kind, file.page);
  const picture = image.asItIs ? await jpegAsItIs(file.path, image) : await encode(image.pixels, file.kind);
  const { width, height } = picture;
  const dpi = image.dpi ?? (Math.max(width, height) >= scanSide ? scanDpi : screenDpi);
  const scale = Math.min(72 / dpi, mostPoints / Math.max(width, height));
  const [widthPt, heightPt] = [width * scale, height * scale];
  const page = document.addPage([widthPt, heightPt]);
  const { context } = document;
  const content = context.flateStream(`q ${widthPt} 0 0 ${heightPt} 0 0 cm /Image Do Q\n`);
  page.node.set(PDFName.of("Resources"), context.obj({ XObject: { Image: addPicture(document, picture) } }));
  page.node.set(PDFName.of("Contents"), context.obj([context.register(content)]));
  return page;
}

function addPicture({ context }: PDFDocument, picture: Picture): PDFRef {
  const { width, height, grey, bits, filter, data } = picture;
  const stream = context.stream(data, {
    Type: "XObject",
    Subtype: "Image",
    Width: width,
    Height: height,
    ColorSpace: grey ? "DeviceGray" : "DeviceRGB",
    BitsPerComponent: bits,
    Filter: filter,
  });
  return context.register(stream);
}

async function jpegAsItIs(
  path: string,
  { width, height, grey }: { width: number; height: number; grey: boolean },
): Promise<Picture> {
  return { data: await readFile(path), width, height, filter: "DCTDecode", grey, bits: 8 };
}

async function encode(pixels: Sharp, kind: ImageKind): Promise<Picture> {
  const upright = pixels.autoOrient().flatten({ background: "white" });
  if (kind === "jpeg" || kind === "webp") {
    const { data, info } = await upright
      .toColourspace("srgb")
      .jpeg({ quality: 92 })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, filter: "DCTDecode", grey: false, bits: 8 };
  }
  const { data, info } = await upright.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const bilevel = channels === 1 ? packBilevel(data, width, height) : null;
  const grey = channels === 1;
  return bilevel === null
    ? { data: deflateSync(data), width, height, filter: "FlateDecode", grey, bits: 8 }
    : { data: deflateSync(bilevel), width, height, filter: "FlateDecode", grey, bits: 1 };
}

/** A pixel a bit, where there is nothing but black and white. */
function packBilevel(pixels: Uint8Array, width: number, height: number): Uint8Array | null {
  const stride = Math.ceil(width / 8);
  const packed = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = pixels[y * width + x];
      if (value === 0) continue;
      if (value !== 255) return null;
      packed[y * stride + (x >> 3)] = (packed[y * stride + (x >> 3)] ?? 0) | (128 >> (x & 7));
    }
  }
  return packed;
}
