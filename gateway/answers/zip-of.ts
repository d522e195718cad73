import { PassThrough, type Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { AnswerFile } from "../route.ts";

/** A ZIP of files, made while it is sent. They are stored as they are: PDFs are compressed inside. */
export function zipOf(entries: readonly { name: string; file: AnswerFile }[]): Readable {
  const zip = new ZipFile();
  const sent = new PassThrough();
  zip.on("error", (error) => sent.destroy(error));
  for (const { name, file } of entries) {
    zip.addReadStreamLazy(name, { compress: false, size: file.size }, (given) => given(null, file.open()));
  }
  zip.end();
  zip.outputStream.on("error", (error) => sent.destroy(error)).pipe(sent);
  return sent;
}
