/** Takes an earlier OCR's text off a page, out of its content and the forms that it draws. */
import { PDFArray, PDFDict, PDFName, type PDFPageLeaf, PDFRawStream, PDFRef } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { dropUnseenText } from "./drop-unseen-text.ts";

const maxContentBytes = 64 * 2 ** 20;
const maxDepth = 6;

/** What cannot be decoded stays as it is. */
export function takeOffUnseenText(leaf: PDFPageLeaf): void {
  const { context } = leaf;
  const contents = leaf.lookup(PDFName.of("Contents"));
  const parts =
    contents instanceof PDFArray ? contents.asArray().map((part) => context.lookup(part)) : [contents];
  const plain = parts.map((part) =>
    part instanceof PDFRawStream ? decodeStream(part, maxContentBytes) : undefined,
  );
  if (plain.every((part) => part !== undefined)) {
    // One stream may end within a string of operators that the next goes on with, but never within a token (§7.8.2).
    const without = dropUnseenText(Buffer.concat(plain.flatMap((part) => [part, Buffer.from("\n")])));
    if (without !== null) leaf.set(PDFName.of("Contents"), context.register(context.flateStream(without)));
  }
  takeOffForms(leaf.Resources(), new Set(), maxDepth);
}

function takeOffForms(resources: PDFDict | undefined, seen: Set<PDFRef>, depth: number): void {
  const objects = resources?.lookup(PDFName.of("XObject"));
  if (!(objects instanceof PDFDict) || depth === 0) return;
  for (const [, ref] of objects.entries()) {
    const form = objects.context.lookup(ref);
    if (!(ref instanceof PDFRef) || seen.has(ref) || !(form instanceof PDFRawStream)) continue;
    seen.add(ref);
    if (form.dict.lookup(PDFName.of("Subtype")) !== PDFName.of("Form")) continue;
    const own = form.dict.lookup(PDFName.of("Resources"));
    takeOffForms(own instanceof PDFDict ? own : undefined, seen, depth - 1);
    const plain = decodeStream(form, maxContentBytes);
    const without = plain === undefined ? null : dropUnseenText(plain);
    if (without !== null) objects.context.assign(ref, withContent(form, without));
  }
}

function withContent({ dict }: PDFRawStream, content: Uint8Array): PDFRawStream {
  const copy = dict.clone(dict.context);
  for (const key of ["Filter", "DecodeParms", "Length"]) copy.delete(PDFName.of(key));
  const stream = dict.context.flateStream(content);
  for (const [key, value] of stream.dict.entries()) copy.set(key, value);
  return PDFRawStream.of(copy, stream.getContents());
}
