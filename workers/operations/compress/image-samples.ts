/** An image's samples, one byte each, from whatever depth or palette they are stored in. */
import { decodeSteps } from "../../../platform/pdf/decode-stream.ts";
import type { ImageForm } from "./image-form.ts";

export type Samples = { data: Uint8Array; width: number; height: number; channels: 1 | 3 };

/** Channels as stored: print colours are still to be converted. */
export type StoredSamples = Omit<Samples, "channels"> & { channels: 1 | 3 | 4 };

/** The samples of an image without a codec; undefined where the data is short or undecodable. */
export function imageSamples(
  contents: Uint8Array,
  form: ImageForm,
  maxBytes: number,
): StoredSamples | undefined {
  const plain = decodeSteps(contents, form.steps, maxBytes);
  const { width, height, components, palette } = form;
  const rowBytes = Math.ceil((width * components * form.bitsPerComponent) / 8);
  if (plain === undefined || plain.length < rowBytes * height) return undefined;
  const bytes = inBytes(plain, rowBytes, form);
  if (bytes === undefined) return undefined;
  if (palette === undefined) return { data: bytes, width, height, channels: channelCount(components) };
  return { data: throughPalette(bytes, palette), width, height, channels: channelCount(palette.components) };
}

function channelCount(components: number): 1 | 3 | 4 {
  return components === 1 ? 1 : components === 4 ? 4 : 3;
}

/** Whether every pixel of three channels is grey. */
export function isGrey({ data, channels }: Samples): boolean {
  if (channels === 1) return false;
  for (let at = 0; at < data.length; at += 3) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  }
  return true;
}

/** The first channel alone. */
export function greyOf({ data, width, height }: Samples): Samples {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * 3] as number;
  return { data: grey, width, height, channels: 1 };
}

/** Samples of any depth as bytes: scaled to 0–255, but indexes kept as they are. */
function inBytes(plain: Uint8Array, rowBytes: number, form: ImageForm): Uint8Array | undefined {
  const { width, height, components, bitsPerComponent: bits } = form;
  const rowSamples = width * components;
  if (bits === 8) return plain.subarray(0, rowSamples * height);
  const out = new Uint8Array(rowSamples * height);
  if (bits === 16) {
    for (let at = 0; at < out.length; at += 1) out[at] = plain[at * 2] as number;
    return out;
  }
  if (bits !== 1 && bits !== 2 && bits !== 4) return undefined;
  const mask = (1 << bits) - 1;
  const scale = form.palette ? 1 : 255 / mask;
  for (let row = 0; row < height; row += 1) {
    for (let sample = 0; sample < rowSamples; sample += 1) {
      const bit = sample * bits;
      const byte = plain[row * rowBytes + (bit >> 3)] as number;
      out[row * rowSamples + sample] = ((byte >> (8 - bits - (bit & 7))) & mask) * scale;
    }
  }
  return out;
}

function throughPalette(
  indexes: Uint8Array,
  { components, entries }: NonNullable<ImageForm["palette"]>,
): Uint8Array {
  const out = new Uint8Array(indexes.length * components);
  for (let at = 0; at < indexes.length; at += 1) {
    const from = (indexes[at] as number) * components;
    for (let channel = 0; channel < components; channel += 1)
      out[at * components + channel] = entries[from + channel] ?? 0;
  }
  return out;
}
