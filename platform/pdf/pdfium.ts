/** PDFium, the engine of Chrome, as WebAssembly: the second opinion on every PDF, and the painter of its pages. */
import { PDFiumModule } from "@hyzyla/pdfium";

type Vendor = Awaited<ReturnType<typeof PDFiumModule>>;

/** PDFium's C functions that the package's types leave out, by their names in the engine. */
type Functions = Vendor["wasmExports"] & {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  FPDF_GetPageSizeByIndexF: (document: number, page: number, size: number) => number;
  FPDF_SaveAsCopy: (document: number, writer: number, flags: number) => number;
};

/** One engine with its own memory. */
export type Pdfium = { module: Vendor; functions: Functions };

// WebAssembly memory only ever grows: an engine that once met a huge page is replaced before the next document.
const maxIdleMemoryBytes = 192 * 2 ** 20;

let shared: Promise<Pdfium> | undefined;

/**
 * This thread's engine, for documents opened one after another or at the same time. An engine that has trapped
 * is in no known state: whoever catches its `WebAssembly.RuntimeError` calls `dropPdfium`.
 */
export async function sharedPdfium(): Promise<Pdfium> {
  shared ??= startPdfium();
  const engine = await shared;
  if (engine.functions.memory.buffer.byteLength > maxIdleMemoryBytes) shared = startPdfium();
  return shared;
}

/** Forgets this thread's engine, so that the next document gets a new one. */
export function dropPdfium(): void {
  shared = undefined;
}

async function startPdfium(): Promise<Pdfium> {
  const module = await PDFiumModule({});
  const config = {
    version: 2,
    m_pIsolate: null,
    m_pUserFontPaths: null,
    m_v8EmbedderSlot: 0,
    m_pPlatform: null,
  };
  module._FPDF_InitLibraryWithConfig(config);
  return { module, functions: module.wasmExports as Functions };
}
