/** What sealing adds to a document, all but the signature itself. */
import { PDFArray, type PDFDict, PDFName, type PDFObject, type PDFRef } from "pdf-lib";
import { pageBox } from "../../platform/pdf/page-box.ts";
import { appendAuditPages } from "./append-audit-pages.ts";
import { attachFile } from "./attach-file.ts";
import { chainStart } from "./audit-chain.ts";
import { auditFormat, sealReason, writeAuditFile } from "./audit-file.ts";
import { drawValues } from "./draw/draw-values.ts";
import { createFontsInUse } from "./draw/fonts-in-use.ts";
import { layOverPage } from "./draw/lay-over-page.ts";
import type { PreparedValue, Typography } from "./draw/prepare-values.ts";
import type { Base } from "./open-base.ts";
import { copyOfDict } from "./pdf-file/copy-dict.ts";
import type { FoundPage } from "./pdf-file/find-pages.ts";
import { type Changes, type Update, writeUpdate } from "./pdf-file/write-update.ts";
import type { SealOrder } from "./seal-order.ts";
import { addSignatureField, signatureDictionary } from "./signature-field.ts";
import type { SubsetFont } from "./text/subset-font.ts";

export type Revision = {
  base: Base;
  order: SealOrder;
  originalBytes: number;
  prepared: readonly PreparedValue[];
  typography: Typography;
  subset: SubsetFont;
  /** Who seals, and how many bytes its CMS may take. */
  signer: { name: string; contentsBytes: number };
};

/** The update with an empty signature, and where that begins in it. */
export function composeRevision(revision: Revision): Update & { signatureAt: number } {
  const { base, order, prepared, typography, subset } = revision;
  const { pdf, pages } = base;
  const { context } = pdf;
  const changes: Changes = new Map();
  const drawing = { context, changes, fonts: createFontsInUse(context) };
  const changedPages = new Map<number, PDFDict>();
  const pageToChange = (index: number) => {
    const known = changedPages.get(index);
    const page = pages[index];
    if (known || page === undefined) return known;
    const copy = copyOfDict(page.dict, context);
    changedPages.set(index, copy);
    changes.set(page.ref, copy);
    return copy;
  };
  for (const [number, values] of Map.groupBy(prepared, ({ box }) => box.page)) {
    const page = pages[number - 1];
    const own = pageToChange(number - 1);
    if (page === undefined || own === undefined)
      throw new Error(`a value stands on page ${number} of ${pages.length}`);
    const form = context.nextRef();
    changes.set(form, drawValues(values, pageBox(page.dict), drawing));
    layOverPage(page, own, { context, changes, form });
  }
  if (order.appendAuditPage) appendAuditPages(order, base, typography, drawing);
  const signaturePage = Math.max(0, pages.findIndex(hasRoomForField));
  const signature = addSignature(revision, changes, signaturePage, pageToChange(signaturePage));
  drawing.fonts.embedInto(changes, subset);
  const update = writeUpdate(pdf, changes);
  return { ...update, signatureAt: update.offsets.get(signature) ?? 0 };
}

// Poppler opens no page that has more than 32,768 annotations.
const maxAnnotations = 10_000;

function hasRoomForField({ dict }: FoundPage): boolean {
  const annotations = dict.lookup(PDFName.of("Annots"));
  return !(annotations instanceof PDFArray) || annotations.size() < maxAnnotations;
}

/** @param own the changed dictionary of the page that gets the signature's field */
function addSignature(revision: Revision, changes: Changes, page: number, own: PDFDict | undefined): PDFRef {
  const { base, order, signer } = revision;
  const { context, catalog, catalogRef } = base.pdf;
  const ref = base.pages[page]?.ref;
  if (ref === undefined || own === undefined) throw new Error("the document has no page");
  const signature = context.nextRef();
  const reason = sealReason(order.audit.at(-1)?.hash ?? chainStart);
  changes.set(signature, signatureDictionary(context, { ...signer, reason, signedAt: order.sealedAt }));
  const newCatalog = copyOfDict(catalog, context);
  const put = (entries: ReadonlyMap<PDFName, PDFObject>) => {
    for (const [key, value] of entries) newCatalog.set(key, value);
  };
  put(addSignatureField(base.pdf, changes, signature, { ref, dict: own }));
  put(attachFile(base.pdf, changes, auditAttachment(revision)));
  changes.set(catalogRef, newCatalog);
  return signature;
}

function auditAttachment({ base, order, originalBytes }: Revision) {
  const bytes = writeAuditFile({
    format: auditFormat,
    requestId: order.requestId,
    title: order.title,
    original: { sha256: order.documentSha256, size: originalBytes, base: base.base },
    head: order.audit.at(-1)?.hash ?? chainStart,
    entries: order.audit,
  });
  const description = "Audit trail of the signatures, as a hash chain";
  return { name: "audit.json", mediaType: "application/json", description, bytes, at: order.sealedAt };
}
