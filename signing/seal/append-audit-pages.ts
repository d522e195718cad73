/** The audit trail as pages of the document, where the request asks for it. */
import { PDFName, PDFNumber, PDFRef } from "pdf-lib";
import { auditPageLines, type TextLine } from "./audit-page-lines.ts";
import { drawLine } from "./draw/draw-line.ts";
import type { Drawing } from "./draw/draw-values.ts";
import type { Typography } from "./draw/prepare-values.ts";
import type { Base } from "./open-base.ts";
import { copyOfArray } from "./pdf-file/copy-array.ts";
import { copyOfDict } from "./pdf-file/copy-dict.ts";
import { flateStream } from "./pdf-file/write-update.ts";
import type { SealOrder } from "./seal-order.ts";
import { drawableText } from "./text/drawable-text.ts";
import type { Typesetter } from "./text/typesetter.ts";
import { wrapText } from "./text/wrap-text.ts";

// ISO A4 in points.
const paper = { width: 595.28, height: 841.89 };
const margin = 56;
const lineHeight = 1.3;

/** Adds the pages behind the last one. What no font can draw (in a browser's name, say) stands as its code point. */
export function appendAuditPages(
  order: SealOrder,
  base: Base,
  { setLine }: Typography,
  drawing: Drawing,
): void {
  const { context, catalog } = base.pdf;
  const root = catalog.get(PDFName.of("Pages"));
  if (!(root instanceof PDFRef)) throw new Error("the page tree has no root");
  const tree = copyOfDict(context.lookup(root), context);
  const kids = copyOfArray(tree.lookup(PDFName.of("Kids")), context);
  const contents = drawPages(auditPageLines(order), setLine, drawing);
  for (const content of contents) kids.push(addPage(content, root, drawing));
  tree.set(PDFName.of("Kids"), kids);
  tree.set(PDFName.of("Count"), PDFNumber.of(base.pages.length + contents.length));
  drawing.changes.set(root, tree);
}

function addPage(content: string, parent: PDFRef, { context, changes, fonts }: Drawing): PDFRef {
  const stream = context.nextRef();
  changes.set(stream, flateStream(context, content));
  const box = [0, 0, paper.width, paper.height];
  const page = context.nextRef();
  // Everything that could be inherited is said, since the tree's root may say something else.
  const entries = { Type: "Page", Parent: parent, MediaBox: box, CropBox: box, Rotate: 0, Contents: stream };
  changes.set(page, context.obj({ ...entries, Resources: { Font: fonts.resources() } }));
  return page;
}

function drawPages(lines: readonly TextLine[], setLine: Typesetter, { fonts }: Drawing): string[] {
  const pages: string[] = [];
  let y = 0;
  for (const line of lines) {
    y -= line.before;
    for (const text of wrapped(line, setLine)) {
      y -= line.size * lineHeight;
      if (pages.length === 0 || y < margin) {
        pages.push("0 g\n");
        y = paper.height - margin - line.size;
      }
      const set = setLine(text);
      if (!set.ok) continue;
      const x = set.line.rightToLeft
        ? paper.width - margin - set.line.width * line.size
        : margin + line.indent;
      pages[pages.length - 1] += drawLine(set.line, line.size, { x, y }, fonts);
    }
  }
  return pages;
}

function wrapped({ text, size, indent }: TextLine, setLine: Typesetter): string[] {
  const drawable = drawableText(text.toWellFormed().replace(/[^\P{Cc}\n]/gu, " "));
  if (!drawable.ok) return [];
  const width = (paper.width - 2 * margin - indent) / size;
  return drawable.lines.flatMap((line) => {
    const safe = withCodePoints(line, setLine);
    const set = setLine(safe);
    return set.ok ? wrapText(safe, set.line, width) : [];
  });
}

function withCodePoints(text: string, setLine: Typesetter): string {
  let safe = text;
  for (;;) {
    const set = setLine(safe);
    // Without even a Latin font there is nothing to fall back to.
    if (set.ok || /^[ -~]+$/.test(set.missing)) return safe;
    const codes = [...set.missing].map(
      (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase()}]`,
    );
    safe = safe.replaceAll(set.missing, codes.join(""));
  }
}
