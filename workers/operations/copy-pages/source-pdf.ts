/** An input as the copying parts see it: opened, and its pages in reading order. */
import { readFile } from "node:fs/promises";
import { type PDFContext, PDFDict, PDFName, type PDFObject, type PDFPageLeaf, type PDFRef } from "pdf-lib";
import { Failure } from "../../../platform/contracts/failures.ts";
import { hasDynamicXfa } from "../../../platform/pdf/dynamic-xfa.ts";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import type { OperationContext, SourceFile } from "../operation.ts";

export type SourcePage = { ref: PDFRef; leaf: PDFPageLeaf };

export type SourcePdf = {
  context: PDFContext;
  catalog: PDFDict;
  info: PDFDict | undefined;
  pages: readonly SourcePage[];
  /** Index of a page by its reference. */
  pageIndex: ReadonlyMap<PDFRef, number>;
  /** Gives the file's memory back at once, not when the collector comes round. Its streams are gone after. */
  release(): void;
};

/**
 * Opens an input for copying.
 * @throws Failure as `openPdf`, and `unsupported_pdf` where the pages are a program's that no copy would run.
 */
export async function openSource(file: SourceFile, context: OperationContext): Promise<SourcePdf> {
  const bytes = await readFile(file.path);
  const opened = await openPdf(bytes, { workDir: context.workDir, signal: context.signal });
  const { document, pages } = opened;
  if (hasDynamicXfa(document)) {
    throw new Failure(
      "unsupported_pdf",
      "This PDF is a dynamic XFA form, whose pages only its own program can make. Print it to a PDF first.",
    );
  }
  const info = document.context.lookup(document.context.trailerInfo.Info);
  return {
    context: document.context,
    catalog: document.catalog,
    info: info instanceof PDFDict ? info : undefined,
    pages,
    pageIndex: new Map(pages.map((page, index) => [page.ref, index])),
    release() {
      giveBack(bytes);
      giveBack(opened.bytes);
    },
  };
}

function giveBack({ buffer, byteLength }: Uint8Array) {
  // A small file may stand in a buffer that others use too.
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength)
    buffer.transfer(0);
}

// The tree is settled before, so this only bounds what a hostile chain of parents costs.
const maxDepth = 100;

/** A page's entry, or what it inherits from the nodes above it (ISO 32000-1 §7.7.3.4), and which node has it. */
export function inheritedEntry(page: PDFDict, key: string): { value: PDFObject; from: PDFDict } | undefined {
  const name = PDFName.of(key);
  let node: PDFObject | undefined = page;
  for (let depth = 0; node instanceof PDFDict && depth < maxDepth; depth += 1) {
    const value = node.get(name);
    if (value) return { value, from: node };
    node = node.lookup(PDFName.Parent);
  }
  return undefined;
}
