import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { FileMark, ResultValue } from "../../platform/contracts/result-data.ts";
import type { AnswerFile } from "../route.ts";

/**
 * A result as the bytes of its JSON, in which each file mark has become the base64 string of that file. Files are read
 * as they are sent, one after the other, so that a result of any size needs little memory.
 */
export async function* jsonWithFiles(
  value: ResultValue,
  files: readonly AnswerFile[],
): AsyncGenerator<Buffer> {
  for (const piece of piecesOf(value)) {
    if (typeof piece === "string") yield Buffer.from(piece);
    else yield* base64Of(fileOf(files, piece.$file).open());
  }
}

/** How many bytes `jsonWithFiles` yields. */
export function jsonWithFilesLength(value: ResultValue, files: readonly AnswerFile[]): number {
  const lengths = piecesOf(value).map((piece) =>
    typeof piece === "string" ? Buffer.byteLength(piece) : Math.ceil(fileOf(files, piece.$file).size / 3) * 4,
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The JSON, cut where files belong. */
function piecesOf(value: ResultValue): (string | FileMark)[] {
  // Nobody can know the token beforehand, so no text of the result can pass for a mark.
  const token = randomUUID();
  const json = JSON.stringify(value, (_, part) => (isFileMark(part) ? `${token}:${part.$file}` : part));
  return json
    .split(new RegExp(`${token}:(\\d+)`))
    .map((piece, position) => (position % 2 === 0 ? piece : { $file: Number(piece) }));
}

function fileOf(files: readonly AnswerFile[], index: number): AnswerFile {
  const file = files[index];
  if (file === undefined) throw new Error(`the result has no file ${index}`);
  return file;
}

function isFileMark(part: unknown): part is FileMark {
  return typeof part === "object" && part !== null && "$file" in part && typeof part.$file === "number";
}

/** Three bytes make four characters: what is left over of a chunk goes before the next. */
async function* base64Of(file: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of file) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    if (whole > 0) yield Buffer.from(bytes.toString("base64", 0, whole), "latin1");
  }
  if (rest.length > 0) yield Buffer.from(rest.toString("base64"), "latin1");
}
