/** How an image's samples are to be understood (ISO 32000-1 §8.9.5): what must be known before it may be touched. */
import { PDFArray, type PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from "pdf-lib";
import { decodeStream, type FilterStep, filterSteps } from "../../../platform/pdf/decode-stream.ts";
import { stringBytes } from "../../../platform/pdf/string-bytes.ts";
import { numbersOf } from "./matrix.ts";

export type ImageForm = {
  width: number;
  height: number;
  bitsPerComponent: number;
  /** Samples a pixel as stored: 1 for an indexed image. */
  components: number;
  /** The ICC profile by which four components, of a pixel or of a palette's entry, are to be read. */
  cmykProfile?: Uint8Array;
  /** RGB or grey values of an indexed image's entries. */
  palette?: { components: number; entries: Uint8Array };
  steps: readonly FilterStep[];
};

const maxPaletteBytes = 1024;
const maxProfileBytes = 4 * 2 ** 20;

/**
 * The form of an image whose samples may be changed; undefined for one that must stay as it is: a stencil, one with
 * a colour key, a Decode array, a colour space without plain channels, or a dictionary that makes no sense.
 */
export function imageForm({ dict }: PDFRawStream): ImageForm | undefined {
  const steps = filterSteps(dict);
  const width = numberOf(dict, "Width");
  const height = numberOf(dict, "Height");
  const bitsPerComponent =
    numberOf(dict, "BitsPerComponent") ?? (steps?.at(-1)?.name === "DCTDecode" ? 8 : undefined);
  if (steps === undefined || width === undefined || height === undefined || bitsPerComponent === undefined)
    return;
  if (dict.lookup(PDFName.of("ImageMask"))?.toString() === "true") return;
  // A colour key compares exact samples; but it does not count where there is a soft mask (§11.6.5.3).
  const hasColourKey = dict.lookup(PDFName.of("Mask")) instanceof PDFArray && !dict.has(PDFName.of("SMask"));
  if (hasColourKey || dict.has(PDFName.of("Alternates"))) return;
  const space = dict.lookup(PDFName.of("ColorSpace"));
  const palette = paletteOf(space);
  const components = palette ? 1 : channelsOf(space);
  if (components === undefined || !hasPlainDecode(dict, palette ? 2 ** bitsPerComponent - 1 : 1, components))
    return;
  const cmykProfile = profileOf(palette && space instanceof PDFArray ? space.lookup(1) : space);
  const optional = { ...(palette ? { palette } : {}), ...(cmykProfile ? { cmykProfile } : {}) };
  return { width, height, bitsPerComponent, components, steps, ...optional };
}

/** Channels of a colour space whose samples scale linearly and independently; undefined for any other. */
function channelsOf(space: PDFObject | undefined): number | undefined {
  if (space instanceof PDFName) return { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 }[space.decodeText()];
  if (!(space instanceof PDFArray)) return undefined;
  const family = space.lookup(0)?.toString();
  if (family === "/CalGray" || family === "/Separation") return 1;
  if (family === "/CalRGB") return 3;
  const profile = family === "/ICCBased" ? space.lookup(1) : undefined;
  const channels = profile instanceof PDFRawStream ? numberOf(profile.dict, "N") : undefined;
  return channels === 1 || channels === 3 || channels === 4 ? channels : undefined;
}

/** The profile of a space of four channels. */
function profileOf(space: PDFObject | undefined): Uint8Array | undefined {
  const profile = space instanceof PDFArray && space.size() > 1 ? space.lookup(1) : undefined;
  if (!(profile instanceof PDFRawStream) || numberOf(profile.dict, "N") !== 4) return undefined;
  return decodeStream(profile, maxProfileBytes);
}

function paletteOf(space: PDFObject | undefined): ImageForm["palette"] {
  if (!(space instanceof PDFArray) || space.lookup(0)?.toString() !== "/Indexed") return undefined;
  const base = space.lookup(1);
  // The entries become samples of a device space, so only what is one, or close to one, is taken.
  const components = channelsOf(base);
  const isTint = base instanceof PDFArray && base.lookup(0)?.toString() === "/Separation";
  const table = space.lookup(3);
  const entries = table instanceof PDFRawStream ? decodeStream(table, maxPaletteBytes) : stringBytes(table);
  return components && entries && !isTint ? { components, entries } : undefined;
}

function hasPlainDecode(dict: PDFDict, highest: number, components: number): boolean {
  const decode = dict.lookup(PDFName.of("Decode"));
  if (decode === undefined) return true;
  const numbers = numbersOf(decode);
  return (
    numbers?.length === components * 2 && numbers.every((value, index) => value === (index % 2 ? highest : 0))
  );
}

function numberOf(dict: PDFDict, key: string): number | undefined {
  const value = dict.lookup(PDFName.of(key));
  const number = value instanceof PDFNumber ? value.asNumber() : undefined;
  return number !== undefined && Number.isInteger(number) && number > 0 ? number : undefined;
}
