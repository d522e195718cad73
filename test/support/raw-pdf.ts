/** PDFs written by hand, for what no library would write. */

/**
 * @param objects the text of object 1, 2, …; object 1 is the catalog
 * @param trailer further entries of the trailer
 */
export function rawPdf(objects: readonly string[], trailer = ""): Buffer {
  let text = "%PDF-1.7\n";
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

/** A stream object's text. */
export function rawStream(content: string, entries = ""): string {
  return `<</Length ${content.length}${entries}>>stream\n${content}\nendstream`;
}
