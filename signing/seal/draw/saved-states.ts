import { isDelimiter, isSpace, latin1, Scanner } from "../pdf-file/scanner.ts";

/**
 * How a page's content leaves the stack of graphics states: `deepest` is how far it pops below where it began (0 or
 * less), `left` where it ends. Sound content has 0 and 0; much of what is out there has not.
 */
export type SavedStates = { deepest: number; left: number };

/** Counts `q` and `Q` in a page's content (ISO 32000-1 §8.4.2), past strings, comments and inline images. */
export function savedStates(content: Uint8Array): SavedStates {
  const scanner = new Scanner(content, 0);
  let depth = 0;
  let deepest = 0;
  for (;;) {
    scanner.skipSpace();
    const byte = scanner.peek();
    if (byte === -1) return { deepest, left: depth };
    if (byte === 0x28) skipString(scanner);
    else if (byte === 0x3c && scanner.peek(1) !== 0x3c) scanner.takeWhile((next) => next !== 0x3e);
    else if (isDelimiter(byte)) scanner.skip(1);
    else {
      const word = scanner.takeWord();
      if (word === "q") depth += 1;
      if (word === "Q") depth -= 1;
      if (word === "ID") skipImageData(scanner);
      deepest = Math.min(deepest, depth);
    }
  }
}

function skipString(scanner: Scanner): void {
  let open = 0;
  do {
    const byte = scanner.peek();
    if (byte === -1) return;
    scanner.skip(byte === 0x5c ? 2 : 1);
    if (byte === 0x28) open += 1;
    if (byte === 0x29) open -= 1;
  } while (open > 0);
}

/** §8.9.7: the data ends at an EI between white space that text follows. */
function skipImageData(scanner: Scanner): void {
  for (let at = scanner.offset + 1; at < scanner.bytes.length; at += 1) {
    if (scanner.bytes[at] !== 0x45 || scanner.bytes[at + 1] !== 0x49) continue;
    const isWord = isSpace(scanner.bytes[at - 1] ?? 0) && isSpace(scanner.bytes[at + 2] ?? 0x20);
    if (!isWord || !/^[\t\n\r\x20-\x7e]*$/.test(latin1(scanner.bytes.subarray(at + 2, at + 12)))) continue;
    scanner.moveTo(at + 2);
    return;
  }
  scanner.moveTo(scanner.bytes.length);
}
