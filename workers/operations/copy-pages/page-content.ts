/** The plain content of a page: its streams one after the other. */
import { PDFArray, type PDFContext, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { visitOperators } from "./content-operators.ts";
import type { SourcePage } from "./source-pdf.ts";

// The most detailed maps and drawings stay under this; each content stream is unpacked under it.
export const maxContentBytes = 192 * 2 ** 20;

/** @returns undefined when a part of it cannot be read. @throws Failure `too_complex` over the bound. */
export function pageContent({ leaf }: SourcePage): Uint8Array | undefined {
  const streams = contentStreams(leaf.context, leaf.get(PDFName.Contents));
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const stream of streams) {
    const plain = decodeStream(stream, maxContentBytes - bytes);
    if (plain === undefined) return undefined;
    bytes += plain.length;
    parts.push(plain, lineEnd);
  }
  return parts.length === 2 ? parts[0] : Buffer.concat(parts);
}

/** How often the content takes back a state that it never saved. */
export function surplusRestores(content: Uint8Array): number {
  let depth = 0;
  let lowest = 0;
  visitOperators(content, (operator) => {
    if (operator === "q") depth += 1;
    if (operator === "Q") depth -= 1;
    lowest = Math.min(lowest, depth);
  });
  return -lowest;
}

// Streams of one page are read as if a space stood between them (ISO 32000-1 §7.8.2).
const lineEnd = Uint8Array.of(10);

function contentStreams(context: PDFContext, contents: PDFObject | undefined): PDFRawStream[] {
  const value = context.lookup(contents);
  const elements =
    value instanceof PDFArray ? value.asArray().map((element) => context.lookup(element)) : [value];
  return elements.filter((element) => element instanceof PDFRawStream);
}
