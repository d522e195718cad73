/**
 * A font that draws nothing and whose codes are the UTF-16 units of the text, for words under a scan. It is embedded, as
 * Identity-H demands (ISO 32000-1 §9.7.5.2) and archives do; the TrueType program is the smallest that readers accept.
 */
import { type PDFContext, type PDFDocument, PDFName, type PDFRef, PDFString } from "pdf-lib";

/** Of every code, in thousandths of the font size. */
export const glyphWidth = 500;

const fontName = "GlyphlessWords";
const lastCode = 0xffff;

/** Adds the font to a document. */
export function addGlyphlessFont({ context }: PDFDocument): PDFRef {
  const descendant = context.register(
    context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: fontName,
      // Of ASCII (ISO 32000-1 table 116), not text strings.
      CIDSystemInfo: { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Identity"), Supplement: 0 },
      FontDescriptor: addDescriptor(context),
      DW: glyphWidth,
      CIDToGIDMap: context.register(context.flateStream(everyCodeToTheEmptyGlyph())),
    }),
  );
  return context.register(
    context.obj({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: fontName,
      Encoding: PDFName.of("Identity-H"),
      DescendantFonts: [descendant],
      ToUnicode: context.register(context.flateStream(codesAreUnicode)),
    }),
  );
}

function addDescriptor(context: PDFContext): PDFRef {
  const program = trueTypeProgram();
  return context.register(
    context.obj({
      Type: "FontDescriptor",
      FontName: fontName,
      // Fixed pitch, symbolic.
      Flags: 5,
      FontBBox: [0, 0, glyphWidth, 1000],
      ItalicAngle: 0,
      Ascent: 1000,
      // Not 0, which some readers take for unknown and replace by a guess.
      Descent: -1,
      CapHeight: 1000,
      StemV: 80,
      FontFile2: context.register(context.flateStream(program, { Length1: program.length })),
    }),
  );
}

/** The hexadecimal string that shows a text in this font. */
export function glyphlessCodes(text: string): { hex: string; count: number } {
  let hex = "";
  for (let index = 0; index < text.length; index += 1)
    hex += text.charCodeAt(index).toString(16).padStart(4, "0");
  return { hex, count: text.length };
}

function everyCodeToTheEmptyGlyph(): Uint8Array {
  const map = new Uint8Array((lastCode + 1) * 2);
  for (let code = 0; code <= lastCode; code += 1) map[code * 2 + 1] = 1;
  return map;
}

const codesAreUnicode = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
1 beginbfrange
<0000> <FFFF> <0000>
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`;

/** Two empty glyphs, and the tables that ISO 32000-1 §9.9 asks of an embedded program. */
function trueTypeProgram(): Uint8Array {
  const glyphCount = 2;
  const words = (...values: number[]) =>
    Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]));
  const unitsPerEm = 1000;
  const tables: [tag: string, bytes: Buffer][] = [
    ["glyf", words(0)],
    // Version, revision, checksum adjustment (unused here), magic, flags, units, two dates, box, style, and formats.
    // biome-ignore format: as the specification lists them
    ["head", words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, unitsPerEm, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, glyphWidth, unitsPerEm, 0, 8, 2, 0, 0)],
    ["hhea", words(1, 0, unitsPerEm, 0, 0, glyphWidth, 0, 0, glyphWidth, 1, 0, 0, 0, 0, 0, 0, 0, glyphCount)],
    ["hmtx", words(glyphWidth, 0, glyphWidth, 0)],
    ["loca", words(0, 0, 0)],
    ["maxp", words(1, 0, glyphCount, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ];
  const directory = [words(1, 0, tables.length, 64, 2, 32)];
  const bodies: Buffer[] = [];
  let offset = 12 + 16 * tables.length;
  for (const [tag, bytes] of tables) {
    const entry = Buffer.alloc(16);
    entry.write(tag, "latin1");
    entry.writeUInt32BE(checksum(bytes), 4);
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(bytes.length, 12);
    directory.push(entry);
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    bodies.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([...directory, ...bodies]);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const [index, byte] of bytes.entries()) sum = (sum + byte * 2 ** (24 - 8 * (index % 4))) % 2 ** 32;
  return sum;
}
