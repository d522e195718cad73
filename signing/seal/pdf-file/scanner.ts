/** A place in the bytes of a PDF, and the lexical rules of ISO 32000-1 §7.2. */
export class Scanner {
  readonly bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** The byte `ahead` of the place; -1 behind the end. */
  peek(ahead = 0): number {
    return this.bytes[this.offset + ahead] ?? -1;
  }

  /** @throws Error at the end of the data */
  next(): number {
    const byte = this.bytes[this.offset];
    if (byte === undefined) throw new Error("the data ends inside an object");
    this.offset += 1;
    return byte;
  }

  skip(count: number): void {
    this.offset += count;
  }

  moveTo(offset: number): void {
    this.offset = offset;
  }

  /** White space and comments. */
  skipSpace(): void {
    for (;;) {
      const byte = this.peek();
      if (byte === 0x25) this.takeWhile((next) => next !== 0x0a && next !== 0x0d);
      else if (isSpace(byte)) this.offset += 1;
      else return;
    }
  }

  takeWhile(belongs: (byte: number) => boolean): Uint8Array {
    const start = this.offset;
    while (this.offset < this.bytes.length && belongs(this.peek())) this.offset += 1;
    return this.bytes.subarray(start, this.offset);
  }

  /** What stands before the next white space or delimiter: a keyword or a number; empty if nothing does. */
  takeWord(): string {
    return latin1(this.takeWhile((byte) => !isSpace(byte) && !isDelimiter(byte)));
  }

  /** @throws Error when something else stands here */
  expect(text: string): void {
    const found = latin1(this.bytes.subarray(this.offset, this.offset + text.length));
    if (found !== text) throw new Error(`expected ${text} at byte ${this.offset}`);
    this.offset += text.length;
  }
}

/** §7.2.2 table 1. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0x00;
}

/** §7.2.2 table 2: ( ) < > [ ] { } / % */
export function isDelimiter(byte: number): boolean {
  return (
    byte === 0x28 ||
    byte === 0x29 ||
    byte === 0x3c ||
    byte === 0x3e ||
    byte === 0x5b ||
    byte === 0x5d ||
    byte === 0x7b ||
    byte === 0x7d ||
    byte === 0x2f ||
    byte === 0x25
  );
}

/** Bytes as characters of the same number, which is how pdf-lib keeps names and strings. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
