/** Saving from PDFium, which wants a C callback that takes the bytes. */
import type { Pdfium } from "./pdfium.ts";

const removeSecurity = 3;

/** The document as PDFium writes it, whole and without encryption. */
export function savePdfiumCopy({ module, functions }: Pdfium, document: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  const take = (_writer: number, data: number, size: number): number => {
    pieces.push(module.HEAPU8.slice(data, data + size));
    return 1;
  };
  // The table cannot grow, so the callback borrows the last place in it, one that saving does not call.
  const table = functions.__indirect_function_table;
  const slot = table.length - 1;
  const lender: unknown = table.get(slot);
  // FPDF_FILEWRITE: version 1, then the callback, which to WebAssembly is an index into its table.
  const writer = functions.malloc(8);
  const view = new DataView(module.HEAPU8.buffer, writer, 8);
  view.setUint32(0, 1, true);
  view.setUint32(4, slot, true);
  table.set(slot, asWasmFunction(take));
  const saved = functions.FPDF_SaveAsCopy(document, writer, removeSecurity);
  table.set(slot, lender);
  functions.free(writer);
  if (!saved) throw new Error("PDFium could not save the document");
  return Buffer.concat(pieces);
}

/** A JavaScript function of three integers to one, as WebAssembly's tables take it: passed through a module of one import. */
function asWasmFunction(call: (a: number, b: number, c: number) => number): unknown {
  // biome-ignore format: one section a line
  const bytes = Uint8Array.of(
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
    0x01, 0x08, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x01, 0x7f, // type: (i32, i32, i32) -> i32
    0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, // import e.f of that type
    0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // export it as f
  );
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { f: call } }).exports.f;
}
