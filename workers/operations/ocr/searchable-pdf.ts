/** The input as a PDF that can be searched: recognised words lie under what is shown, unseen. */
import { readFile } from "node:fs/promises";
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFPageLeaf, type PDFRef, PDFStream } from "pdf-lib";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import { pageBox } from "../../../platform/pdf/page-box.ts";
import type { OperationContext, SourceFile } from "../operation.ts";
import { dropSignatures } from "./drop-signatures.ts";
import { addGlyphlessFont } from "./glyphless-font.ts";
import { addImagePage } from "./image-page.ts";
import type { OcrPages } from "./ocr-phases.ts";
import { takeOffUnseenText } from "./take-off-unseen-text.ts";
import { textLayerContent } from "./text-layer.ts";

// No writer of documents calls a font so.
const fontKey = "OcrWords";

/** Throws what opening a PDF or an image throws. */
export async function searchablePdf(
  source: SourceFile,
  { plan, recognised }: OcrPages,
  { workDir, signal }: OperationContext,
): Promise<Uint8Array> {
  const document = await asPdf(source, { plan, recognised }, { workDir, signal });
  const font = addGlyphlessFont(document);
  const pages = document.getPages();
  for (const { page, layer } of recognised) {
    const leaf = pages[page - 1]?.node;
    if (leaf === undefined || layer === null || layer.words.length === 0) continue;
    signal.throwIfAborted();
    takeOffUnseenText(leaf);
    addFont(leaf, font);
    addContentBefore(leaf, textLayerContent(layer, pageBox(leaf), fontKey));
  }
  return document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
}

async function asPdf(
  { path }: SourceFile,
  { plan, recognised }: OcrPages,
  { workDir, signal }: { workDir: string; signal: AbortSignal },
): Promise<PDFDocument> {
  const { kind } = plan;
  if (kind === "pdf") {
    const { document } = await openPdf(await readFile(path), { workDir, signal });
    dropSignatures(document);
    return document;
  }
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const { page, status } of recognised.toSorted((a, b) => a.page - b.page)) {
    signal.throwIfAborted();
    // An empty page holds the place of one that cannot be decoded.
    if (status === "unreadable") document.addPage();
    else await addImagePage(document, { path, kind, page });
  }
  return document;
}

/** Fonts of a page may be shared with others or inherited; another entry in them harms none. */
function addFont(leaf: PDFPageLeaf, font: PDFRef): void {
  const { context } = leaf;
  const resources = leaf.Resources() ?? context.obj({});
  if (!(leaf.lookup(PDFName.of("Resources")) instanceof PDFDict))
    leaf.set(PDFName.of("Resources"), resources);
  const fonts = resources.lookup(PDFName.of("Font"));
  if (fonts instanceof PDFDict) fonts.set(PDFName.of(fontKey), font);
  else resources.set(PDFName.of("Font"), context.obj({ [fontKey]: font }));
}

/** Before the page's own content, whose operators may leave the graphics state in any disorder. */
function addContentBefore(leaf: PDFPageLeaf, content: string): void {
  const { context } = leaf;
  const own = leaf.get(PDFName.of("Contents"));
  const resolved = context.lookup(own);
  const rest =
    resolved instanceof PDFArray ? resolved.asArray() : resolved instanceof PDFStream && own ? [own] : [];
  leaf.set(PDFName.of("Contents"), context.obj([context.register(context.flateStream(content)), ...rest]));
}
