/** Objects packed together and deflated (ISO 32000-1 §7.5.7): a fraction of their size, for all but streams. */
import { deflateSync } from "node:zlib";

export type PackedObjects = {
  /** The numbers of the objects, in their order in the stream. */
  numbers: readonly number[];
  /** The stream's dictionary as it stands in the file. */
  dictText: string;
  contents: Uint8Array;
};

export type ObjectCollector = {
  /** Takes an object as its text; full collections are handed on at once. */
  add(number: number, text: string): void;
  /** Hands on what is left. */
  flush(): void;
};

// More objects a stream pack better, but a reader unpacks the whole stream to see one of them.
const objectsPerStream = 200;
const charactersPerStream = 1 << 17;

export function createObjectCollector(handOn: (packed: PackedObjects) => void): ObjectCollector {
  let numbers: number[] = [];
  let texts: string[] = [];
  let characters = 0;

  function flush() {
    if (numbers.length > 0) handOn(pack(numbers, texts));
    numbers = [];
    texts = [];
    characters = 0;
  }

  return {
    add(number, text) {
      numbers.push(number);
      texts.push(text);
      characters += text.length;
      if (numbers.length >= objectsPerStream || characters >= charactersPerStream) flush();
    },
    flush,
  };
}

/** Number and offset of each object, then the objects. */
function pack(numbers: readonly number[], texts: readonly string[]): PackedObjects {
  let offset = 0;
  let index = "";
  for (const [position, number] of numbers.entries()) {
    index += `${number} ${offset} `;
    offset += (texts[position] as string).length + 1;
  }
  const contents = deflateSync(Buffer.from(`${index}\n${texts.join("\n")}`, "latin1"));
  const counts = `/N ${numbers.length}/First ${index.length + 1}/Length ${contents.length}`;
  return { numbers, dictText: `<</Type/ObjStm${counts}/Filter/FlateDecode>>`, contents };
}
