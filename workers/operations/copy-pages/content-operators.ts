/** Reads a content stream as far as needed to know which resources it uses (ISO 32000-1 §7.8.2). */

/** `names` are the names among the operands, without slash, escapes undone, one character a byte. */
export type VisitOperator = (operator: string, names: readonly string[]) => void;

/** The operators that are reported; an inline image is reported as `BI` with the names in its dictionary. */
const reported = new Map(
  ["Do", "Tf", "gs", "cs", "CS", "scn", "SCN", "sh", "BDC", "DP", "q", "Q"].map((operator) => [
    codeOf(Buffer.from(operator), 0, operator.length),
    operator,
  ]),
);
const inlineImageData = codeOf(Buffer.from("ID"), 0, 2);

const kindOf = { regular: 0, space: 1, delimiter: 2 } as const;
const kinds = new Uint8Array(256);
for (const space of [0, 9, 10, 12, 13, 32]) kinds[space] = kindOf.space;
for (const delimiter of "()<>[]{}/%") kinds[delimiter.charCodeAt(0)] = kindOf.delimiter;

const [slash, percent, openParenthesis, closeParenthesis, backslash, less, greater] = [
  0x2f, 0x25, 0x28, 0x29, 0x5c, 0x3c, 0x3e,
] as const;

/** Calls `visit` for each reported operator in order. Broken content is read on as well as it goes. */
export function visitOperators(bytes: Uint8Array, visit: VisitOperator): void {
  const length = bytes.length;
  let names: string[] = [];
  let at = 0;
  while (at < length) {
    const byte = bytes[at] as number;
    const kind = kinds[byte];
    if (kind === kindOf.space) at += 1;
    else if (kind === kindOf.regular) {
      const end = endOfRegular(bytes, at);
      // Numbers are most of a stream: they begin below "A", operators above (but for ' and ", which use nothing).
      if (byte >= 0x41) {
        const code = end - at <= 3 ? codeOf(bytes, at, end) : 0;
        const operator = reported.get(code);
        if (operator) visit(operator, names);
        if (code === inlineImageData) {
          visit("BI", names);
          at = endOfInlineImage(bytes, end);
          names = [];
          continue;
        }
        if (names.length > 0) names = [];
      }
      at = end;
    } else if (byte === slash) {
      const end = endOfRegular(bytes, at + 1);
      names.push(nameBetween(bytes, at + 1, end));
      at = end;
    } else at = afterDelimited(bytes, at, byte);
  }
}

function endOfRegular(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && kinds[bytes[at] as number] === kindOf.regular) at += 1;
  return at;
}

function afterDelimited(bytes: Uint8Array, at: number, byte: number): number {
  if (byte === openParenthesis) return afterString(bytes, at + 1);
  if (byte === percent) {
    let end = at;
    while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end += 1;
    return end;
  }
  if (byte !== less || bytes[at + 1] === less) return at + 1;
  const end = bytes.indexOf(greater, at);
  return end < 0 ? bytes.length : end + 1;
}

function afterString(bytes: Uint8Array, start: number): number {
  let depth = 1;
  let at = start;
  while (at < bytes.length && depth > 0) {
    const byte = bytes[at];
    if (byte === backslash) at += 1;
    else if (byte === openParenthesis) depth += 1;
    else if (byte === closeParenthesis) depth -= 1;
    at += 1;
  }
  return at;
}

/**
 * Image data may hold anything, "EI" too. What ends it stands between white space, and text follows it: the same rule
 * as readers use.
 */
function endOfInlineImage(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0x45, start); at >= 0; at = bytes.indexOf(0x45, at + 1)) {
    if (bytes[at + 1] !== 0x49 || kinds[bytes[at - 1] as number] !== kindOf.space) continue;
    if (at + 2 >= bytes.length) return bytes.length;
    if (kinds[bytes[at + 2] as number] !== kindOf.space) continue;
    if (bytes.subarray(at + 3, at + 13).every(isText)) return at + 2;
  }
  return bytes.length;
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || kinds[byte] === kindOf.space;
}

function codeOf(bytes: Uint8Array, start: number, end: number): number {
  let code = 0;
  for (let at = start; at < end; at += 1) code = (code << 8) | (bytes[at] as number);
  return code;
}

function nameBetween(bytes: Uint8Array, start: number, end: number): string {
  let name = "";
  for (let at = start; at < end; at += 1) name += String.fromCharCode(bytes[at] as number);
  return withoutEscapes(name);
}

/** A name as it stands in a file, its `#20` escapes undone. */
export function withoutEscapes(name: string): string {
  if (!name.includes("#")) return name;
  return name.replaceAll(/#([\da-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
