/** Whether a smaller file may take the place of the document: nothing lost, nothing looks different. */
import type { PDFContext } from "pdf-lib";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import { type DocumentFacts, documentFacts, lostFact } from "./document-facts.ts";
import { lookAt, type PdfLook } from "./original-look.ts";
import { similarity } from "./same-look.ts";
import { sameObjects } from "./same-objects.ts";

/** The document to compare with, and the size of its file. */
export type Original = { size: number; facts: DocumentFacts; look: PdfLook };

/** The pages, by index, where a candidate may differ from the document: in what they say, or in how they look. */
export type Comparison = { texts: readonly number[]; pictures: readonly number[] };

/** A smaller file, and the objects that it was written from, where pages need not be compared because those are known. */
export type Candidate = { bytes: Uint8Array; comparison: Comparison; objects?: PDFContext };

/** What is wrong with a candidate; `text` and `look` name what a milder candidate may put right. */
export type Flaw = { kind: "text" | "look" | "structure"; detail: string };

/** The first flaw found, cheap checks first; undefined for a sound candidate. */
export async function findFlaw(
  { bytes, comparison, objects }: Candidate,
  original: Original,
  leastSimilarity: number,
  signal: AbortSignal,
): Promise<Flaw | undefined> {
  const opened = await openPdf(bytes, { signal }).catch(() => undefined);
  if (opened === undefined || opened.wasRepaired) return { kind: "structure", detail: "does not open" };
  if (objects && !sameObjects(objects, opened.document.context))
    return { kind: "structure", detail: "written wrong" };
  const lost = lostFact(original.facts, documentFacts(opened));
  if (lost) return { kind: "structure", detail: lost };
  const look = await lookAt(opened);
  if (look === undefined) return { kind: "structure", detail: "PDFium does not open it" };
  try {
    return compareLooks(original.look, look, comparison, { leastSimilarity, signal });
  } finally {
    look.close();
  }
}

function compareLooks(
  before: PdfLook,
  after: PdfLook,
  { texts, pictures }: Comparison,
  { leastSimilarity, signal }: { leastSimilarity: number; signal: AbortSignal },
): Flaw | undefined {
  if (before.pageCount !== after.pageCount) return { kind: "structure", detail: "page count in PDFium" };
  for (const index of texts) {
    signal.throwIfAborted();
    if (before.text(index) !== after.text(index)) return { kind: "text", detail: `page ${index + 1}` };
  }
  for (const index of pictures) {
    signal.throwIfAborted();
    const [pictureBefore, pictureAfter] = [before.picture(index), after.picture(index)];
    if (pictureBefore === undefined && pictureAfter === undefined) continue;
    const alike =
      pictureBefore && pictureAfter ? similarity(pictureBefore, pictureAfter, leastSimilarity) : 0;
    if (alike < leastSimilarity) return { kind: "look", detail: `page ${index + 1} at ${alike.toFixed(3)}` };
  }
  return undefined;
}
