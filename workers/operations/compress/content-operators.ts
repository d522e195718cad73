/** Content streams read operator by operator (ISO 32000-1 §7.8.2), fast enough for tens of megabytes. */

/** Strings are bytes, names carry their slash (`/F1`), arrays hold operands, dictionaries are kept as their raw bytes. */
export type Operand = number | string | Uint8Array | Operand[] | { dict: Uint8Array };

/** An inline image comes as operator `BI` with one operand: its raw dictionary and data, between `BI` and `EI`. */
export type OnOperator = (operator: string, operands: readonly Operand[], start: number, end: number) => void;

// 1 white space, 2 delimiter, 0 anything else.
const kinds = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) kinds[byte] = 1;
for (const character of "()<>[]{}/%") kinds[character.charCodeAt(0)] = 2;

const maxOperands = 4096;
const maxWordBytes = 256;

/** Calls `onOperator` for each operator in turn. Broken parts are skipped, as readers do; never throws by itself. */
export function readOperators(bytes: Uint8Array, onOperator: OnOperator): void {
  const reader = new ContentReader(bytes);
  let operands: Operand[] = [];
  let start = 0;
  while (true) {
    const token = reader.next();
    if (token === undefined) return;
    if (operands.length === 0) start = reader.tokenStart;
    if (!(token instanceof Keyword)) {
      if (operands.length < maxOperands) operands.push(token);
      continue;
    }
    if (token.text === "BI") operands = [reader.inlineImage()];
    onOperator(token.text, operands, operands.length === 0 ? reader.tokenStart : start, reader.at);
    operands = [];
  }
}

class Keyword {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A position in the bytes: it has identity because every token moves it. */
class ContentReader {
  at = 0;
  tokenStart = 0;
  readonly bytes: Uint8Array;
  readonly buffer: Buffer;
  /** By their bytes as one number: no operator has more than three. */
  readonly keywords = new Map<number, Keyword>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  next(depth = 0): Operand | Keyword | undefined {
    const { bytes } = this;
    while (true) {
      this.skipSpace();
      if (this.at >= bytes.length) return undefined;
      this.tokenStart = this.at;
      const byte = bytes[this.at] as number;
      if (byte === 0x2f) return this.name();
      if (byte === 0x28) return this.literalString();
      if (byte === 0x3c) return bytes[this.at + 1] === 0x3c ? this.dictionary() : this.hexString();
      if (byte === 0x5b) return this.array(depth);
      if (kinds[byte] !== 2) return this.numberOrKeyword();
      this.at += 1;
    }
  }

  skipSpace(): void {
    const { bytes } = this;
    while (this.at < bytes.length) {
      const byte = bytes[this.at] as number;
      if (byte === 0x25)
        while (this.at < bytes.length && bytes[this.at] !== 10 && bytes[this.at] !== 13) this.at += 1;
      else if (kinds[byte] !== 1) return;
      else this.at += 1;
    }
  }

  regularEnd(from: number): number {
    let end = from;
    while (end < this.bytes.length && kinds[this.bytes[end] as number] === 0) end += 1;
    return end;
  }

  text(from: number, to: number): string {
    return this.buffer.toString("latin1", from, Math.min(to, from + maxWordBytes));
  }

  name(): string {
    const start = this.at;
    this.at = this.regularEnd(start + 1);
    const raw = this.text(start, this.at);
    return raw.includes("#")
      ? raw.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : raw;
  }

  numberOrKeyword(): number | Keyword {
    const start = this.at;
    const end = this.regularEnd(start);
    this.at = Math.max(end, start + 1);
    const number = this.number(start, end);
    if (number !== undefined) return number;
    if (end - start > 3) return new Keyword(this.text(start, end));
    let bytes = 0;
    for (let at = start; at < end; at += 1) bytes = (bytes << 8) | (this.bytes[at] as number);
    const known = this.keywords.get(bytes);
    if (known) return known;
    const keyword = new Keyword(this.text(start, end));
    if (this.keywords.size < 200) this.keywords.set(bytes, keyword);
    return keyword;
  }

  number(start: number, end: number): number | undefined {
    let value = 0;
    let scale = 0;
    let at = start;
    let sign = 1;
    if (this.bytes[at] === 0x2d) sign = -1;
    if (this.bytes[at] === 0x2d || this.bytes[at] === 0x2b) at += 1;
    if (at >= end) return undefined;
    for (; at < end; at += 1) {
      const byte = this.bytes[at] as number;
      if (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + byte - 0x30;
        scale *= 10;
      } else if (byte === 0x2e && scale === 0) scale = 1;
      // "12-34" and "--5" occur in the wild: what readers agree on is the part before.
      else if (byte === 0x2d) break;
      else return undefined;
    }
    return (sign * value) / (scale || 1);
  }

  literalString(): Uint8Array {
    const { bytes } = this;
    const out: number[] = [];
    let depth = 1;
    this.at += 1;
    while (this.at < bytes.length) {
      const byte = bytes[this.at] as number;
      this.at += 1;
      if (byte === 0x5c) {
        this.escape(out);
        continue;
      }
      if (byte === 0x28) depth += 1;
      else if (byte === 0x29) {
        depth -= 1;
        if (depth === 0) break;
      }
      out.push(byte);
    }
    return Uint8Array.from(out);
  }

  escape(out: number[]): void {
    const byte = this.bytes[this.at] ?? 0;
    this.at += 1;
    if (byte >= 0x30 && byte <= 0x37) {
      let value = byte - 0x30;
      for (let digits = 1; digits < 3; digits += 1) {
        const digit = (this.bytes[this.at] ?? 0) - 0x30;
        if (digit < 0 || digit > 7) break;
        value = value * 8 + digit;
        this.at += 1;
      }
      out.push(value & 0xff);
    } else if (byte === 13) {
      if (this.bytes[this.at] === 10) this.at += 1;
    } else if (byte !== 10) {
      const named = "nrtbf".indexOf(String.fromCharCode(byte));
      out.push(named < 0 ? byte : ([10, 13, 9, 8, 12][named] as number));
    }
  }

  hexString(): Uint8Array {
    const end = this.bytes.indexOf(0x3e, this.at);
    const stop = end < 0 ? this.bytes.length : end;
    const digits = Buffer.from(this.bytes.subarray(this.at + 1, stop))
      .toString("latin1")
      .replace(/[^0-9a-f]/gi, "");
    this.at = stop + 1;
    return Uint8Array.from(Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex"));
  }

  array(depth: number): Operand[] {
    const items: Operand[] = [];
    this.at += 1;
    while (depth < 16) {
      this.skipSpace();
      const byte = this.bytes[this.at];
      if (byte === undefined) break;
      if (byte === 0x5d) {
        this.at += 1;
        break;
      }
      const item = this.next(depth + 1);
      if (item === undefined) break;
      if (!(item instanceof Keyword)) items.push(item);
    }
    return items;
  }

  dictionary(): { dict: Uint8Array } {
    const start = this.at;
    let depth = 0;
    while (this.at < this.bytes.length) {
      const byte = this.bytes[this.at];
      if (byte === 0x28) this.literalString();
      else if (byte === 0x3c && this.bytes[this.at + 1] === 0x3c) {
        depth += 1;
        this.at += 2;
      } else if (byte === 0x3e && this.bytes[this.at + 1] === 0x3e) {
        depth -= 1;
        this.at += 2;
        if (depth === 0) break;
      } else this.at += 1;
    }
    return { dict: this.bytes.subarray(start, this.at) };
  }

  /** From after `BI` to after `EI`. The end is an `EI` between white space that is followed by plausible content. */
  inlineImage(): Operand {
    const start = this.at;
    const { bytes } = this;
    let at = this.buffer.indexOf("ID", start);
    while (at >= 0) {
      at = this.buffer.indexOf("EI", at + 2);
      if (at < 0) break;
      const after = bytes.subarray(at + 2, at + 12);
      const spaced =
        kinds[bytes[at - 1] ?? 0] === 1 && (after.length === 0 || kinds[after[0] as number] === 1);
      if (spaced && after.every((byte) => (byte >= 32 && byte < 127) || kinds[byte] === 1)) break;
    }
    this.at = at < 0 ? bytes.length : at + 2;
    return { dict: bytes.subarray(start, at < 0 ? bytes.length : at) };
  }
}
