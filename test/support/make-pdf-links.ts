/** Links of a test document: to a page, to a named destination, or out to the web. */
import { PDFArray, type PDFDocument, PDFName, type PDFRef, PDFString } from "pdf-lib";

/** Pages count from 1. */
export type LinkPlan = { toPage: number } | { toName: string } | { toUri: string };

/** Adds links to the page of the given index, one below another, each 100 × 15 points. */
export function addLinks(document: PDFDocument, pageIndex: number, links: readonly LinkPlan[]): void {
  const page = document.getPage(pageIndex);
  links.forEach((link, index) => {
    const y = 600 - 20 * index;
    page.node.addAnnot(linkAnnotation(document, link, [50, y, 150, y + 15]));
  });
}

function linkAnnotation(document: PDFDocument, link: LinkPlan, rect: number[]): PDFRef {
  const { context } = document;
  const annotation = context.obj({ Type: "Annot", Subtype: "Link", Rect: rect, Border: [0, 0, 0] });
  if ("toUri" in link) {
    annotation.set(PDFName.of("A"), context.obj({ S: "URI", URI: PDFString.of(link.toUri) }));
  } else if ("toName" in link) {
    annotation.set(PDFName.of("Dest"), PDFString.of(link.toName));
  } else {
    const target = PDFArray.withContext(context);
    target.push(document.getPage(link.toPage - 1).ref);
    target.push(PDFName.of("Fit"));
    annotation.set(PDFName.of("Dest"), target);
  }
  return context.register(annotation);
}
