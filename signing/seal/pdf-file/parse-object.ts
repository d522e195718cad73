/**
 * Reads one PDF object where it lies in the file (ISO 32000-1 §7.3), without touching the rest of the file.
 * pdf-lib reads whole files only; sealing looks at a handful of objects of what may be 100 MB.
 */
import {
  PDFArray,
  PDFBool,
  PDFCatalog,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRef,
  PDFString,
} from "pdf-lib";
import { latin1, type Scanner } from "./scanner.ts";

// No honest document nests deeper; a hostile one would end in a stack overflow.
const maxDepth = 100;

/**
 * The object that begins at the scanner's place, which is then just behind it. A stream comes back as its
 * dictionary alone, before the `stream` keyword.
 * @throws Error when there is no object there
 */
export function parseObject(scanner: Scanner, context: PDFContext, depth = 0): PDFObject {
  if (depth > maxDepth) throw new Error("objects are nested too deeply");
  scanner.skipSpace();
  const byte = scanner.peek();
  switch (byte) {
    case 0x2f:
      return parseName(scanner);
    case 0x28:
      return parseString(scanner);
    case 0x5b:
      return parseArray(scanner, context, depth);
    case 0x3c:
      return scanner.peek(1) === 0x3c ? parseDict(scanner, context, depth) : parseHexString(scanner);
    default:
      return isNumberStart(byte) ? parseNumberOrRef(scanner) : parseKeyword(scanner);
  }
}

function parseName(scanner: Scanner): PDFName {
  scanner.skip(1);
  const name = scanner.takeWord();
  // pdf-lib decodes upper-case escapes only, and would escape the # of others once more.
  return PDFName.of(name.replace(/#[0-9a-fA-F]{2}/g, (hex) => hex.toUpperCase()));
}

function parseString(scanner: Scanner): PDFString {
  const start = scanner.offset + 1;
  let open = 0;
  for (;;) {
    const byte = scanner.next();
    if (byte === 0x5c) scanner.skip(1);
    else if (byte === 0x28) open += 1;
    else if (byte === 0x29) open -= 1;
    if (open === 0) return PDFString.of(latin1(scanner.bytes.subarray(start, scanner.offset - 1)));
  }
}

function parseHexString(scanner: Scanner): PDFHexString {
  scanner.skip(1);
  const digits = scanner.takeWhile((byte) => byte !== 0x3e);
  scanner.skip(1);
  return PDFHexString.of(latin1(digits).replace(/[^0-9a-fA-F]/g, ""));
}

function parseArray(scanner: Scanner, context: PDFContext, depth: number): PDFArray {
  scanner.skip(1);
  const array = PDFArray.withContext(context);
  for (;;) {
    scanner.skipSpace();
    if (scanner.peek() === 0x5d) break;
    array.push(parseObject(scanner, context, depth + 1));
  }
  scanner.skip(1);
  return array;
}

function parseDict(scanner: Scanner, context: PDFContext, depth: number): PDFDict {
  scanner.skip(2);
  const members = new Map<PDFName, PDFObject>();
  for (;;) {
    scanner.skipSpace();
    if (scanner.peek() === 0x3e) break;
    if (scanner.peek() !== 0x2f) throw new Error("a dictionary's key is not a name");
    const key = parseName(scanner);
    members.set(key, parseObject(scanner, context, depth + 1));
  }
  scanner.expect(">>");
  return dictOfType(members, context);
}

// pdf-lib's page functions ask for these classes.
function dictOfType(members: Map<PDFName, PDFObject>, context: PDFContext): PDFDict {
  switch (members.get(PDFName.of("Type"))) {
    case PDFName.of("Catalog"):
      return PDFCatalog.fromMapWithContext(members, context);
    case PDFName.of("Pages"):
      return PDFPageTree.fromMapWithContext(members, context);
    case PDFName.of("Page"):
      return PDFPageLeaf.fromMapWithContext(members, context);
    default:
      return PDFDict.fromMapWithContext(members, context);
  }
}

function isNumberStart(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

function parseNumberOrRef(scanner: Scanner): PDFNumber | PDFRef {
  const text = scanner.takeWord();
  const after = scanner.offset;
  if (/^\d+$/.test(text)) {
    scanner.skipSpace();
    const generation = scanner.takeWord();
    scanner.skipSpace();
    if (/^\d+$/.test(generation) && scanner.takeWord() === "R")
      return PDFRef.of(Number(text), Number(generation));
    scanner.moveTo(after);
  }
  // Readers take "--5" and "5-" for numbers, and anything unreadable for 0 (so do pdf.js and Acrobat).
  const value = Number.parseFloat(text.replace(/^[+-]*(?=-)/, ""));
  return PDFNumber.of(Number.isFinite(value) ? value : 0);
}

function parseKeyword(scanner: Scanner): PDFObject {
  const word = scanner.takeWord();
  if (word === "true") return PDFBool.True;
  if (word === "false") return PDFBool.False;
  if (word === "null") return PDFNull;
  throw new Error(`no object begins with ${JSON.stringify(word.slice(0, 20))}`);
}
