/** How every PDF of a stranger is opened: bounded, decrypted if it opens without a password, repaired if it must be. */
import { PDFCatalog, PDFDocument, PDFInvalidObject } from "pdf-lib";
import { Failure } from "../contracts/failures.ts";
import { boundParsing } from "./bounded-parsing.ts";
import { type PageOfTree, settlePageTree } from "./page-tree.ts";
import { lockedFailure, type RepairOptions, rewriteWithPdfium, rewriteWithQpdf } from "./repair-pdf.ts";
import { restoreStreamEnds } from "./stream-lengths.ts";

export type OpenedPdf = {
  document: PDFDocument;
  /** The bytes that `document` was read from: the given ones, or the decrypted or repaired file. */
  bytes: Uint8Array;
  pageCount: number;
  /** In reading order. `document.getPages()` gives the same. */
  pages: readonly PageOfTree[];
  wasEncrypted: boolean;
  wasRepaired: boolean;
};

type Parsed = { document: PDFDocument; pages: PageOfTree[]; encrypted: boolean; sound: boolean };

/**
 * Opens a PDF. The page tree of the result is sound: pdf-lib's own functions may be called on it.
 * @throws Failure `invalid_pdf`, `encrypted_pdf` or `too_complex`; the signal's reason when it is aborted.
 */
export async function openPdf(bytes: Uint8Array, options: RepairOptions = {}): Promise<OpenedPdf> {
  if (!looksLikePdf(bytes)) throw invalidFailure();
  const given = await parse(bytes);
  if (given?.sound) return { ...withoutFlags(given), bytes, wasEncrypted: false, wasRepaired: false };
  const wasEncrypted = given?.encrypted ?? false;
  for (const rewrite of [rewriteWithQpdf, rewriteWithPdfium]) {
    options.signal?.throwIfAborted();
    const rewritten = await rewrite(bytes, options, wasEncrypted);
    const parsed = rewritten && (await parse(rewritten));
    if (rewritten && parsed?.sound) {
      return { ...withoutFlags(parsed), bytes: rewritten, wasEncrypted, wasRepaired: !wasEncrypted };
    }
  }
  if (wasEncrypted) throw lockedFailure();
  // Better the part that pdf-lib could read than nothing, as readers do.
  if (given && given.pages.length > 0)
    return { ...withoutFlags(given), bytes, wasEncrypted, wasRepaired: true };
  throw invalidFailure();
}

/** Readers look for the header in the first kilobyte (ISO 32000-1 Annex H, note 13), and some do without it. */
function looksLikePdf(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.byteLength)).toString(
    "latin1",
  );
  return start.includes("%PDF-") || /^\s*\d+ \d+ obj\b/.test(start);
}

async function parse(given: Uint8Array): Promise<Parsed | undefined> {
  boundParsing();
  // A Buffer's `slice` shares memory, so the parsed streams do not double the file.
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      parseSpeed: Number.POSITIVE_INFINITY,
      throwOnInvalidObject: false,
      ignoreEncryption: true,
    });
  } catch (fault) {
    if (fault instanceof Failure) throw fault;
    return undefined;
  }
  const encrypted = document.isEncrypted;
  if (!(document.catalog instanceof PDFCatalog)) return { document, pages: [], encrypted, sound: false };
  const pages = settlePageTree(document);
  const broken = document.context
    .enumerateIndirectObjects()
    .some(([, object]) => object instanceof PDFInvalidObject);
  const whole = restoreStreamEnds(document, bytes);
  return { document, pages, encrypted, sound: !encrypted && !broken && whole && pages.length > 0 };
}

function withoutFlags({ document, pages }: Parsed): Pick<OpenedPdf, "document" | "pages" | "pageCount"> {
  return { document, pages, pageCount: pages.length };
}

function invalidFailure(): Failure {
  return new Failure(
    "invalid_pdf",
    "This file is not a PDF, or too damaged to be repaired. Save it again, then send it.",
  );
}
