/** Takes out the text that a content stream shows in render mode 3, unseen: an earlier OCR's, which a new one replaces. */

const invisibleMode = 3;
const whiteSpace = new Set([0, 9, 10, 12, 13, 32]);
const delimiters = new Set([...Buffer.from("()<>[]{}/%")]);

/** The stream without it, or null when there is none. Only strings are emptied, so that everything else keeps its place. */
export function dropUnseenText(content: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const kept: Uint8Array[] = [];
  const modes: number[] = [];
  let [mode, keptTo, operandAt, operandEnd] = [0, 0, 0, 0];
  for (let at = skipSpace(bytes, 0); at < bytes.length; ) {
    const end = tokenEnd(bytes, at);
    const token = isOperand(bytes, at) ? "" : bytes.toString("latin1", at, end);
    if (token === "q") modes.push(mode);
    else if (token === "Q") mode = modes.pop() ?? 0;
    else if (token === "Tr") mode = Number(bytes.toString("latin1", operandAt, operandEnd));
    else if (mode === invisibleMode && ["Tj", "TJ", "'", '"'].includes(token)) {
      kept.push(bytes.subarray(keptTo, operandAt), Buffer.from(token === "TJ" ? "[] " : "() "));
      keptTo = at;
    }
    [operandAt, operandEnd] = [at, end];
    at = skipSpace(bytes, token === "ID" ? inlineImageEnd(bytes, end) : end);
  }
  return keptTo === 0 ? null : Buffer.concat([...kept, bytes.subarray(keptTo)]);
}

/** Strings, names, arrays, dictionaries and numbers; operators are letters, quotes and stars (ISO 32000-1 §7.8.2). */
function isOperand(bytes: Buffer, at: number): boolean {
  return /[([</+\-.0-9]/.test(String.fromCharCode(bytes[at] ?? 0));
}

/** White space and comments. */
function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x25) {
      while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
    } else if (!whiteSpace.has(byte)) return at;
    else at += 1;
  }
  return at;
}

function tokenEnd(bytes: Buffer, at: number): number {
  const first = String.fromCharCode(bytes[at] ?? 0);
  if (first === "(") return stringEnd(bytes, at);
  if (first === "[") return arrayEnd(bytes, at);
  if (first === "<" && bytes[at + 1] !== 0x3c) return after(bytes, ">", at);
  if (first === "<" || (first === ">" && bytes[at + 1] === 0x3e)) return at + 2;
  let end = at + 1;
  while (end < bytes.length && !whiteSpace.has(bytes[end] ?? 0) && !delimiters.has(bytes[end] ?? 0)) end += 1;
  return end;
}

/** Brackets nest, a backslash escapes (ISO 32000-1 §7.3.4.2). */
function stringEnd(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === 0x5c) at += 1;
    else if (bytes[at] === 0x28) depth += 1;
    else if (bytes[at] === 0x29) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Arrays of a content stream hold strings and numbers; nested ones are found as tokens of their own. */
function arrayEnd(bytes: Buffer, from: number): number {
  let at = skipSpace(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== 0x5d) {
    const end = bytes[at] === 0x28 ? stringEnd(bytes, at) : bytes[at] === 0x5b ? at + 1 : tokenEnd(bytes, at);
    at = skipSpace(bytes, end);
  }
  return Math.min(at + 1, bytes.length);
}

/** The data of an inline image is anything, up to a white space and `EI` (ISO 32000-1 §8.9.7). */
function inlineImageEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf("EI", from); at >= 0; at = bytes.indexOf("EI", at + 1)) {
    const [before = 0, behind = 32] = [bytes[at - 1], bytes[at + 2]];
    if (whiteSpace.has(before) && whiteSpace.has(behind)) return at;
  }
  return bytes.length;
}

function after(bytes: Buffer, mark: string, from: number): number {
  const at = bytes.indexOf(mark, from);
  return at < 0 ? bytes.length : at + mark.length;
}
