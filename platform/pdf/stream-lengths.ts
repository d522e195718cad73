import { type PDFDocument, PDFName, PDFNumber, PDFRawStream, PDFRef } from "pdf-lib";

const endOfStream = /^\s*endstream/;
const longestEnd = 16;
// What the parser takes for the line break before `endstream`.
const mostLineBreakBytes = 2;

/**
 * The parser cannot follow a stream's Length to another object, which may come later: it looks for the word
 * `endstream` and takes a line break before it off. Here, where every object is known, data that ends in such bytes
 * gets them back.
 * @param bytes what the document was parsed from
 * @returns false when the data itself holds the word: the parser then took the rest of it for objects, or objects
 *   for the rest of it, and the file has to be read by another program
 */
export function restoreStreamEnds({ context }: PDFDocument, bytes: Buffer): boolean {
  for (const [ref, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue;
    const { dict, contents } = stream;
    const length = dict.get(PDFName.Length) instanceof PDFRef ? dict.lookup(PDFName.Length) : undefined;
    if (!(length instanceof PDFNumber) || length.asNumber() === contents.length) continue;
    // The stream's data is a view of the file.
    const start = contents.byteOffset - bytes.byteOffset;
    const end = start + length.asNumber();
    if (!endOfStream.test(bytes.toString("latin1", end, end + longestEnd))) continue;
    if (Math.abs(length.asNumber() - contents.length) > mostLineBreakBytes) return false;
    context.assign(ref, PDFRawStream.of(dict, bytes.subarray(start, end)));
  }
  return true;
}
