/** Cuts a font down to the glyphs that a document uses, by HarfBuzz's subsetter. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @returns an sfnt file with the given glyphs, their numbers as before */
export type SubsetFont = (file: Uint8Array, faceIndex: number, glyphs: Iterable<number>) => Uint8Array;

type Pointer = number;

/** What of the module's interface (hb-subset.h) is used. */
type Subsetter = {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  malloc: (size: number) => Pointer;
  free: (pointer: Pointer) => void;
  hb_blob_create: (data: Pointer, size: number, mode: number, user: number, destroy: number) => Pointer;
  hb_blob_destroy: (blob: Pointer) => void;
  hb_blob_get_data: (blob: Pointer, length: Pointer) => Pointer;
  hb_blob_get_length: (blob: Pointer) => number;
  hb_face_create: (blob: Pointer, index: number) => Pointer;
  hb_face_destroy: (face: Pointer) => void;
  hb_face_reference_blob: (face: Pointer) => Pointer;
  hb_set_add: (set: Pointer, value: number) => void;
  hb_subset_input_create_or_fail: () => Pointer;
  hb_subset_input_destroy: (input: Pointer) => void;
  hb_subset_input_glyph_set: (input: Pointer) => Pointer;
  hb_subset_input_set: (input: Pointer, kind: number) => Pointer;
  hb_subset_input_set_flags: (input: Pointer, flags: number) => void;
  hb_subset_or_fail: (face: Pointer, input: Pointer) => Pointer;
};

// HB_SUBSET_FLAGS: no hinting (1), keep glyph numbers (2), no glyphs by layout rules (0x200).
const flags = 0x1 | 0x2 | 0x200;
// HB_SUBSET_SETS_DROP_TABLE_TAG
const dropTables = 3;
// Layout is done, and nothing looks a character up in an embedded font.
const unneeded = [
  "GSUB",
  "GPOS",
  "GDEF",
  "cmap",
  "name",
  "OS/2",
  "post",
  "kern",
  "STAT",
  "BASE",
  "VORG",
  "vhea",
  "vmtx",
];
const readOnly = 1;

/** A module of its own: its memory grows to the largest font and is kept, so make one a thread. */
export function createSubsetter(): SubsetFont {
  const path = fileURLToPath(import.meta.resolve("harfbuzzjs/dist/harfbuzz-subset.wasm"));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)));
  const wasm = instance.exports as unknown as Subsetter;
  wasm._initialize();
  return (file, faceIndex, glyphs) => {
    const data = wasm.malloc(file.length);
    new Uint8Array(wasm.memory.buffer).set(file, data);
    const blob = wasm.hb_blob_create(data, file.length, readOnly, 0, 0);
    const face = wasm.hb_face_create(blob, faceIndex);
    try {
      return subset(wasm, face, glyphs);
    } finally {
      wasm.hb_face_destroy(face);
      wasm.hb_blob_destroy(blob);
      wasm.free(data);
    }
  };
}

function subset(wasm: Subsetter, face: Pointer, glyphs: Iterable<number>): Uint8Array {
  const input = wasm.hb_subset_input_create_or_fail();
  wasm.hb_subset_input_set_flags(input, flags);
  const wanted = wasm.hb_subset_input_glyph_set(input);
  for (const glyph of glyphs) wasm.hb_set_add(wanted, glyph);
  const dropped = wasm.hb_subset_input_set(input, dropTables);
  for (const tag of unneeded) wasm.hb_set_add(dropped, Buffer.from(tag, "latin1").readUInt32BE());
  const result = wasm.hb_subset_or_fail(face, input);
  wasm.hb_subset_input_destroy(input);
  if (result === 0) throw new Error("the font cannot be subset");
  const blob = wasm.hb_face_reference_blob(result);
  const start = wasm.hb_blob_get_data(blob, 0);
  const copy = new Uint8Array(wasm.memory.buffer).slice(start, start + wasm.hb_blob_get_length(blob));
  wasm.hb_blob_destroy(blob);
  wasm.hb_face_destroy(result);
  return copy;
}
