import { Failure } from "../../platform/contracts/failures.ts";

/** A place in a JSON document: member names and array indices from the root. */
export type JsonPath = readonly (string | number)[];

/**
 * A JSON document less its files, gathered as it arrives. It follows the structure just far enough to know where a
 * string stands; whether the document is valid is judged by JSON.parse at the end, over what was gathered.
 */
export type JsonOutline = {
  /** Reads up to the end of the bytes, or up to the opening quote of a file. @returns how many bytes were read */
  read: (bytes: Buffer) => number;
  /** Where the file stands whose opening quote was read last; null if reading ended with the bytes. */
  fileAt: () => JsonPath | null;
  /** Goes on after a file. `null` takes its place. */
  afterFile: () => void;
  /** The document. @throws Failure invalid_json */
  value: () => unknown;
};

type Frame = { kind: "object"; key: string; keys: Set<string> } | { kind: "array"; index: number };
/** What may come next. `none`: something that no file can follow; the document may be broken there. */
type Expected = "key" | "colon" | "value" | "none";

const deepest = 64;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * @param isFile whether the string at a path is a file
 * @param maxBytes of the document without its files
 */
export function createJsonOutline(isFile: (path: JsonPath) => boolean, maxBytes: number): JsonOutline {
  const frames: Frame[] = [];
  const gathered: Buffer[] = [];
  let size = 0;
  let expected: Expected = "value";
  let inString: "no" | "value" | "key" = "no";
  let escaped = false;
  let keyText = "";
  let file: JsonPath | null = null;

  function keep(bytes: Buffer): void {
    size += bytes.length;
    if (size > maxBytes) {
      throw new Failure("body_too_large", `The body holds more than ${maxBytes} bytes beside its files.`);
    }
    gathered.push(Buffer.from(bytes));
  }

  function read(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length) {
      if (inString !== "no") at = readString(bytes, at);
      else if (bytes[at] !== quote) step(bytes[at++] as number);
      else if (opensFile()) {
        keep(bytes.subarray(0, at));
        return at + 1;
      } else at++;
    }
    keep(bytes);
    return at;
  }

  /** At an opening quote: is it a file's? If not, the string has begun. */
  function opensFile(): boolean {
    const path = pathOf(frames);
    if (expected === "value" && isFile(path)) {
      file = path;
      return true;
    }
    inString = expected === "key" ? "key" : "value";
    keyText = "";
    if (expected !== "key") expected = "none";
    return false;
  }

  function readString(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at++) {
      if (escaped) escaped = false;
      else if (bytes[at] === backslash) escaped = true;
      else if (bytes[at] === quote) break;
    }
    if (inString === "key") keyText += bytes.toString("latin1", from, at);
    if (at === bytes.length) return at;
    if (inString === "key") endKey();
    inString = "no";
    return at + 1;
  }

  function endKey(): void {
    const frame = frames.at(-1);
    if (frame?.kind !== "object") return;
    // Bytes as latin1 keep names apart, and those that say where files are have no other characters.
    frame.key = keyText.includes("\\") ? unescaped(keyText) : keyText;
    if (frame.keys.has(frame.key)) {
      throw new Failure("invalid_json", `The body gives ${JSON.stringify(frame.key)} twice in one object.`);
    }
    frame.keys.add(frame.key);
    expected = "colon";
  }

  /** One byte outside strings. */
  function step(byte: number): void {
    const frame = frames.at(-1);
    if (byte === openObject) open({ kind: "object", key: "", keys: new Set() });
    else if (byte === openArray) open({ kind: "array", index: 0 });
    else if (byte === closeObject || byte === closeArray) {
      frames.pop();
      expected = "none";
    } else if (byte === comma) {
      if (frame?.kind === "array") frame.index++;
      expected = frame?.kind === "object" ? "key" : "value";
    } else if (byte === colon) expected = expected === "colon" ? "value" : "none";
    else if (byte > 0x20) expected = "none";
  }

  function open(frame: Frame): void {
    if (frames.length === deepest) {
      throw new Failure("invalid_json", `The body is nested deeper than ${deepest} levels.`);
    }
    frames.push(frame);
    expected = frame.kind === "object" ? "key" : "value";
  }

  function afterFile(): void {
    keep(Buffer.from("null"));
    file = null;
    expected = "none";
  }

  return { read, fileAt: () => file, afterFile, value: () => parsed(Buffer.concat(gathered)) };
}

function pathOf(frames: readonly Frame[]): JsonPath {
  return frames.map((frame) => (frame.kind === "object" ? frame.key : frame.index));
}

function unescaped(key: string): string {
  try {
    return JSON.parse(`"${key}"`);
  } catch {
    return key;
  }
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Failure("invalid_json", "The body is empty. Send a JSON object.");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Failure("invalid_json", "The body is not valid JSON, or it ends early.", { cause });
  }
}
