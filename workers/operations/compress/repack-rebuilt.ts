/** Ghostscript's file, made whole and packed better than it does itself. */
import { type PDFDocument, PDFName, PDFObjectCopier, PDFRawStream } from "pdf-lib";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import { type DocumentFacts, documentFacts, lostFact } from "./document-facts.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { reencodeStreams } from "./reencode-streams.ts";
import { shareIdentical } from "./share-identical.ts";
import { writePdf } from "./write-pdf.ts";

// Ghostscript forgets these, and nothing in them refers to a page.
const forgottenKeys = ["Lang", "ViewerPreferences", "PageMode", "PageLayout"];

/**
 * The packed file, with what the original's catalog says of language and view; undefined where it does not open or
 * has lost something, which is found out before any work goes into it.
 */
export async function repackRebuilt(
  bytes: Uint8Array,
  original: PDFDocument,
  facts: DocumentFacts,
): Promise<Uint8Array | undefined> {
  const opened = await openPdf(bytes).catch(() => undefined);
  if (opened === undefined) return undefined;
  const { context, catalog } = opened.document;
  const copier = PDFObjectCopier.for(original.context, context);
  for (const key of forgottenKeys) {
    const value = original.catalog.get(PDFName.of(key));
    if (value) catalog.set(PDFName.of(key), copier.copy(value));
  }
  if (lostFact(facts, documentFacts(opened))) return undefined;
  await reencodeStreams(
    [...reachableObjects(context).values()].filter((object) => object instanceof PDFRawStream),
  );
  shareIdentical(context);
  return writePdf(context, { packObjects: true });
}
