/** Windows bitmaps, which the image library does not read: 1, 4, 8, 16, 24 and 32 bits a pixel, run-length coded or not. */

/** `rgb`: three bytes a pixel, row by row from the top. */
export type Bitmap = { width: number; height: number; dpi: number | null; rgb: Uint8Array };

type Layout = {
  width: number;
  height: number;
  topDown: boolean;
  bits: number;
  compression: number;
  dpi: number | null;
  /** Red, green, blue. */
  masks: readonly [number, number, number];
  palette: Uint8Array;
  paletteEntry: number;
  pixels: Uint8Array;
};

const [uncompressed, runLength8, runLength4, bitFields, alphaBitFields] = [0, 1, 2, 3, 6];

/** Width and height; null when the header makes no sense. */
export function bmpSize(bytes: Uint8Array): { width: number; height: number } | null {
  const layout = readLayout(bytes);
  return layout && { width: layout.width, height: layout.height };
}

/** Null when the file is damaged beyond its pixels' end or of a kind that no one writes. */
export function decodeBmp(bytes: Uint8Array): Bitmap | null {
  const layout = readLayout(bytes);
  if (layout === null) return null;
  const { width, height, dpi, bits } = layout;
  const source = isRunLength(layout) ? unpackRuns(layout) : layout.pixels;
  const stride = isRunLength(layout) ? width : Math.ceil((width * bits) / 32) * 4;
  const colourAt = pixelReader(layout, source);
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const row = (layout.topDown ? y : height - 1 - y) * stride;
    for (let x = 0; x < width; x += 1) colourAt(row, x, rgb, (y * width + x) * 3);
  }
  return { width, height, dpi, rgb };
}

function isRunLength({ compression }: Layout): boolean {
  return compression === runLength8 || compression === runLength4;
}

function readLayout(bytes: Uint8Array): Layout | null {
  if (bytes.length < 26) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = view.getUint32(14, true);
  const old = headerSize === 12;
  if (!old && (headerSize < 40 || bytes.length < 14 + headerSize)) return null;
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const rows = old ? view.getUint16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(old ? 24 : 28, true);
  const compression = old ? uncompressed : view.getUint32(30, true);
  const known = compression <= bitFields || compression === alphaBitFields;
  if (width <= 0 || rows === 0 || !known || ![1, 4, 8, 16, 24, 32].includes(bits)) return null;
  // Masks stand in the header from its version 2 on, else right behind it: at the same place.
  const masked = compression === bitFields || compression === alphaBitFields;
  if (masked && bytes.length < 66) return null;
  const maskBytes = headerSize === 40 && masked ? (compression === bitFields ? 12 : 16) : 0;
  const metres = old ? 0 : view.getInt32(38, true);
  return {
    width,
    height: Math.abs(rows),
    topDown: rows < 0,
    bits,
    compression,
    dpi: metres > 0 ? Math.round(metres * 0.0254) : null,
    masks: masked
      ? ([54, 58, 62].map((at) => view.getUint32(at, true)) as [number, number, number])
      : defaultMasks(bits),
    palette: bytes.subarray(14 + headerSize + maskBytes),
    paletteEntry: old ? 3 : 4,
    pixels: bytes.subarray(view.getUint32(10, true)),
  };
}

function defaultMasks(bits: number): readonly [number, number, number] {
  return bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff];
}

type PixelReader = (row: number, x: number, rgb: Uint8Array, at: number) => void;

function pixelReader(layout: Layout, source: Uint8Array): PixelReader {
  if (layout.bits > 8) return directReader(layout, source);
  const bits = isRunLength(layout) ? 8 : layout.bits;
  const { palette, paletteEntry } = layout;
  const perByte = 8 / bits;
  return (row, x, rgb, at) => {
    const byte = source[row + Math.floor(x / perByte)] ?? 0;
    const index = (byte >> (8 - bits * ((x % perByte) + 1))) & (2 ** bits - 1);
    for (let channel = 0; channel < 3; channel += 1) {
      // Stored blue, green, red.
      rgb[at + channel] = palette[index * paletteEntry + 2 - channel] ?? 0;
    }
  };
}

function directReader({ bits, masks }: Layout, source: Uint8Array): PixelReader {
  const bytesPerPixel = bits / 8;
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { mask, shift, most: mask >>> shift || 1 };
  });
  return (row, x, rgb, at) => {
    let value = 0;
    for (let byte = bytesPerPixel - 1; byte >= 0; byte -= 1) {
      value = ((value << 8) | (source[row + x * bytesPerPixel + byte] ?? 255)) >>> 0;
    }
    for (const [index, { mask, shift, most }] of channels.entries()) {
      rgb[at + index] = Math.round(((((value & mask) >>> 0) >>> shift) * 255) / most);
    }
  };
}

/** Run-length coded indices as one byte a pixel. Two bytes: count and value, or 0 and an escape: end of line, end, move, literal run. */
function unpackRuns({ width, height, pixels, compression }: Layout): Uint8Array {
  const out = new Uint8Array(width * height);
  const nibbles = compression === runLength4;
  let [at, x, y] = [0, 0, 0];
  const put = (byte: number, index: number) => {
    const value = nibbles ? (index % 2 === 0 ? byte >> 4 : byte & 15) : byte;
    if (x < width && y < height) out[y * width + x] = value;
    x += 1;
  };
  while (at + 1 < pixels.length && y < height) {
    const [count = 0, value = 0] = [pixels[at], pixels[at + 1]];
    at += 2;
    if (count > 0) {
      for (let index = 0; index < count; index += 1) put(value, index);
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += pixels[at] ?? 0;
      y += pixels[at + 1] ?? 0;
      at += 2;
    } else {
      const bytes = nibbles ? Math.ceil(value / 2) : value;
      for (let index = 0; index < value; index += 1)
        put(pixels[at + (nibbles ? index >> 1 : index)] ?? 0, index);
      at += bytes + (bytes % 2);
    }
  }
  return out;
}
