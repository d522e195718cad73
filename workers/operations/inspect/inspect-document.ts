/** Looks a PDF over. Runs in the page engine, where strangers' files are opened. */
import { readFile } from "node:fs/promises";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { InspectData } from "../../../platform/contracts/pdf-inspect.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { call, readTwoIntegers } from "../ocr/pdfium-calls.ts";
import { claimedPdfA } from "./claimed-pdf-a.ts";
import { inspectPages } from "./inspect-pages.ts";

type Permissions = NonNullable<NonNullable<InspectData["encryption"]>["permissions"]>;

const mostPages = 1000;

/** Throws `invalid_pdf`. A file that needs a password is no failure: that it does is what the caller wants to know. */
export async function inspectDocument(
  path: string,
  openPath: (path: string) => Promise<PdfiumDocument>,
): Promise<InspectData> {
  const file = await readFile(path);
  let document: PdfiumDocument;
  try {
    document = await openPath(path);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "encrypted_pdf") return lockedData(file.length);
    throw thrown;
  }
  const { engine, handle, pageCount } = document;
  // Before the pages: reading text makes form fields part of their pages.
  const form = forms[call(engine, "FPDF_GetFormType", handle)] ?? "none";
  const { pages, fonts, images, formFields } = inspectPages(document, mostPages);
  const permissions = encryptionOf(document);
  return {
    file_size: file.length,
    pdf_version: versionOf(document),
    page_count: pageCount,
    encryption: permissions && { password_required: false, permissions },
    signatures: call(engine, "FPDF_GetSignatureCount", handle),
    form,
    form_fields: formFields,
    tagged: call(engine, "FPDFCatalog_IsTagged", handle) === 1,
    pdf_a: claimedPdfA(file),
    attachments: call(engine, "FPDFDoc_GetAttachmentCount", handle),
    scripts: Math.max(0, call(engine, "FPDFDoc_GetJavaScriptActionCount", handle)),
    fonts,
    images,
    pages,
    pages_omitted: pageCount - pages.length,
  };
}

// fpdf_formfill.h: FORMTYPE_NONE, _ACRO_FORM, _XFA_FULL, _XFA_FOREGROUND.
const forms = ["none", "acroform", "dynamic-xfa", "static-xfa"] as const;

function versionOf({ engine, handle }: PdfiumDocument): string | null {
  const [version] = readTwoIntegers(engine, (at) => call(engine, "FPDF_GetFileVersion", handle, at));
  return version < 10 ? null : `${Math.floor(version / 10)}.${version % 10}`;
}

/** Null without encryption. Bits of ISO 32000-1 table 22, counted there from 1. */
function encryptionOf({ engine, handle }: PdfiumDocument): Permissions | null {
  if (call(engine, "FPDF_GetSecurityHandlerRevision", handle) < 0) return null;
  const bits = call(engine, "FPDF_GetDocUserPermissions", handle);
  const allows = (position: number) => (bits & (1 << (position - 1))) !== 0;
  return {
    print: allows(3),
    modify: allows(4),
    copy: allows(5),
    annotate: allows(6),
    fill_forms: allows(9),
    assemble: allows(11),
  };
}

function lockedData(fileSize: number): InspectData {
  return {
    file_size: fileSize,
    pdf_version: null,
    page_count: null,
    encryption: { password_required: true, permissions: null },
    signatures: null,
    form: null,
    form_fields: null,
    tagged: null,
    pdf_a: null,
    attachments: null,
    scripts: null,
    fonts: null,
    images: null,
    pages: null,
    pages_omitted: 0,
  };
}
