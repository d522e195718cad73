/** A PDF opened in PDFium: its page sizes, texts, pictures, and a copy as PDFium would write it. */
import { dropPdfium, type Pdfium, sharedPdfium } from "./pdfium.ts";
import { savePdfiumCopy } from "./pdfium-save.ts";

/** Grey pixels, one byte each, row by row, white 255. */
export type GreyPicture = { width: number; height: number; pixels: Uint8Array };

export type PdfiumDocument = {
  /** For PDFium's functions that have no name here; the handle is a FPDF_DOCUMENT. */
  engine: Pdfium;
  handle: number;
  pageCount: number;
  /** Width and height in points as shown (rotation and UserUnit applied); undefined for a page it cannot find. */
  pageSize: (index: number) => { width: number; height: number } | undefined;
  /** The page's text in drawing order; undefined for a page it cannot load. */
  pageText: (index: number) => string | undefined;
  /** The page with its annotations and form fields at the given pixel size; undefined for a page it cannot load. */
  renderGrey: (index: number, width: number, height: number) => GreyPicture | undefined;
  saveCopy: () => Uint8Array;
  /** Must be called: PDFium's memory is not collected. */
  close: () => void;
};

/** Why PDFium refused a document. */
export type PdfiumRefusal = "password" | "damaged";

const passwordError = 4;
const greyFormat = 1;
const drawAnnotations = 0x01;
const drawGrey = 0x08;

/**
 * Opens a PDF with an empty password; indexes are from 0. A document that crashes the engine takes nothing else along:
 * what it was asked for is undefined, and the next document gets a new engine. `drawFields` must be false for a form
 * without `hasSoundFields`: PDFium would not come back.
 */
export async function openInPdfium(
  bytes: Uint8Array,
  { drawFields = true }: { drawFields?: boolean } = {},
): Promise<PdfiumDocument | PdfiumRefusal> {
  const engine = await sharedPdfium();
  const { module, functions } = engine;
  const data = functions.malloc(Math.max(1, bytes.length));
  if (data === 0) return "damaged";
  module.HEAPU8.set(bytes, data);
  const document = survived(() => module._FPDF_LoadMemDocument(data, bytes.length, 0));
  if (document === undefined) return "damaged";
  if (document === 0) {
    functions.free(data);
    return module._FPDF_GetLastError() === passwordError ? "password" : "damaged";
  }
  const form = drawFields ? startForm(engine, document) : noForm;
  return {
    engine,
    handle: document,
    pageCount: module._FPDF_GetPageCount(document),
    pageSize: (index) => survived(() => pageSize(engine, document, index)),
    pageText: (index) => survived(() => withPage(engine, document, index, (page) => textOf(engine, page))),
    renderGrey: (index, width, height) =>
      survived(() =>
        withPage(engine, document, index, (page) => render(engine, page, form.handle, { width, height })),
      ),
    saveCopy: () => savePdfiumCopy(engine, document),
    close() {
      survived(() => {
        form.close();
        module._FPDF_CloseDocument(document);
        functions.free(data);
      });
    },
  };
}

/** The result; undefined when the engine trapped on the way. Its state is then unknown, and it is not used again. */
function survived<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (fault) {
    if (!(fault instanceof WebAssembly.RuntimeError)) throw fault;
    dropPdfium();
    return undefined;
  }
}

const noForm = { handle: 0, close() {} };

function startForm({ module, functions }: Pdfium, document: number): { handle: number; close: () => void } {
  // FPDF_FORMFILLINFO, zeroed but for its version: no callbacks, since nobody types into these fields.
  const info = functions.malloc(256);
  module.HEAPU8.fill(0, info, info + 256);
  module.HEAPU8[info] = 2;
  const handle = module._FPDFDOC_InitFormFillEnvironment(document, info);
  const close = () => {
    if (handle !== 0) module._FPDFDOC_ExitFormFillEnvironment(handle);
    functions.free(info);
  };
  return { handle, close };
}

function pageSize({ module, functions }: Pdfium, document: number, index: number) {
  const size = functions.malloc(8);
  const found = functions.FPDF_GetPageSizeByIndexF(document, index, size);
  const view = new DataView(module.HEAPU8.buffer, size, 8);
  const result = { width: view.getFloat32(0, true), height: view.getFloat32(4, true) };
  functions.free(size);
  return found ? result : undefined;
}

function withPage<T>(
  { module }: Pdfium,
  document: number,
  index: number,
  use: (page: number) => T,
): T | undefined {
  const page = module._FPDF_LoadPage(document, index);
  if (page === 0) return undefined;
  const result = use(page);
  module._FPDF_ClosePage(page);
  return result;
}

function textOf({ module, functions }: Pdfium, page: number): string {
  const textPage = module._FPDFText_LoadPage(page);
  if (textPage === 0) return "";
  const characters = Math.max(0, module._FPDFText_CountChars(textPage));
  const buffer = functions.malloc((characters + 1) * 2);
  const written = characters === 0 ? 0 : module._FPDFText_GetText(textPage, 0, characters, buffer);
  const units = module.HEAPU8.slice(buffer, buffer + Math.max(0, written - 1) * 2);
  functions.free(buffer);
  module._FPDFText_ClosePage(textPage);
  return new TextDecoder("utf-16le").decode(units);
}

function render(
  { module, functions }: Pdfium,
  page: number,
  form: number,
  { width, height }: { width: number; height: number },
): GreyPicture | undefined {
  const pixels = functions.malloc(width * height);
  if (pixels === 0) return undefined;
  const bitmap = module._FPDFBitmap_CreateEx(width, height, greyFormat, pixels, width);
  module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  if (form !== 0) module._FORM_OnAfterLoadPage(page, form);
  module._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawAnnotations | drawGrey);
  // A second pass: the first draws annotations, but not what is typed into fields.
  if (form !== 0) {
    module._FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, drawGrey);
    module._FORM_OnBeforeClosePage(page, form);
  }
  const copy = module.HEAPU8.slice(pixels, pixels + width * height);
  module._FPDFBitmap_Destroy(bitmap);
  functions.free(pixels);
  return { width, height, pixels: copy };
}
