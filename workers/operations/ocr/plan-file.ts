/** Looks at a file and decides page by page what is read and what has to be recognised. Runs in the page engine. */
import { open } from "node:fs/promises";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { PdfiumDocument } from "../../../platform/pdf/pdfium-document.ts";
import { decidePage } from "./decide-page.ts";
import { fileKind, kindBytes } from "./image-kind.ts";
import type { OcrPlan, PagePlan } from "./ocr-phases.ts";
import { imagePages } from "./open-image.ts";
import { notAPdf } from "./open-in-engine.ts";
import { pageEvidence } from "./page-evidence.ts";
import { pageText, withTextPage } from "./page-text.ts";

const maxPages = 5000;
// At a second and a half each on two slots, more do not fit into the time bound of a job.
const maxRecognisedPages = 1500;

/** Throws `invalid_pdf`, `encrypted_pdf`, `invalid_image` or `too_complex`. */
export async function planFile(
  { path, forceOcr }: { path: string; forceOcr: boolean },
  openPath: (path: string) => Promise<PdfiumDocument>,
): Promise<OcrPlan> {
  const kind = await kindOf(path);
  if (kind === "pdf") return planPdf(await openPath(path), forceOcr);
  const images = await imagePages(path, kind);
  boundPages(images.length, maxRecognisedPages, "recognised");
  const why = "it is an image";
  return { kind, pages: images.map(({ page, dpi }) => ({ page, kind, decision: "recognise", why, dpi })) };
}

async function kindOf(path: string) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(kindBytes) });
    const kind = fileKind(buffer.subarray(0, bytesRead));
    if (kind !== null) return kind;
  } finally {
    await file.close();
  }
  const known = "PDF, PNG, JPEG, TIFF, WebP, BMP and GIF";
  throw new Failure(
    "invalid_image",
    `This is neither a PDF nor a known image. Files that are read: ${known}.`,
  );
}

function planPdf(document: PdfiumDocument, forceOcr: boolean): OcrPlan {
  if (document.pageCount === 0) throw notAPdf();
  boundPages(document.pageCount, maxPages, "read");
  const pages: PagePlan[] = [];
  for (let page = 1; page <= document.pageCount; page += 1) pages.push(planPage(document, page, forceOcr));
  const recognised = pages.filter(({ decision }) => decision === "recognise").length;
  boundPages(recognised, maxRecognisedPages, "recognised");
  return { kind: "pdf", pages };
}

function planPage(document: PdfiumDocument, page: number, forceOcr: boolean): PagePlan {
  const plan = withTextPage(document, page, (handle, textPage): PagePlan => {
    const evidence = pageEvidence(document.engine, handle, textPage);
    const { decision, why } = decidePage(evidence);
    if (decision === "recognise") return { page, kind: "pdf", decision, why, dpi: evidence.imageDpi };
    if (forceOcr)
      return { page, kind: "pdf", decision: "recognise", why: "it was asked for", dpi: evidence.imageDpi };
    return { page, decision, why, text: pageText(document.engine, textPage) };
  });
  // Drawing it fails too, most likely; the page's entry will then say so.
  return (
    plan ?? { page, kind: "pdf", decision: "recognise", why: "the page's text cannot be opened", dpi: null }
  );
}

function boundPages(count: number, most: number, verb: string): void {
  if (count <= most) return;
  const bound = `At most ${most} pages of a file are ${verb}`;
  throw new Failure("too_complex", `${bound}; this one has ${count}. Split it, then send the parts.`);
}
