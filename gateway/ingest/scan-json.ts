import { byteCursor } from "./byte-cursor.ts";
import { createJsonOutline, type JsonPath } from "./json-outline.ts";
import { jsonString } from "./json-string.ts";

type Scan = {
  isFile: (path: JsonPath) => boolean;
  /**
   * Takes a file's base64 as it arrives and gives what shall stand in its place. It may stop reading early: the rest
   * of the string is then passed over.
   */
  takeFile: (path: JsonPath, base64: AsyncIterator<Buffer, void, void>) => Promise<unknown>;
  /** Of the document without its files. */
  maxBytes: number;
};

/**
 * Reads a JSON document of any length in little memory: its files go by while they arrive and never are strings.
 * @throws Failure invalid_json, body_too_large, and what `takeFile` throws
 */
export async function scanJson(source: AsyncIterable<Uint8Array>, scan: Scan): Promise<unknown> {
  const cursor = byteCursor(source);
  const outline = createJsonOutline(scan.isFile, scan.maxBytes);
  const files: { path: JsonPath; file: unknown }[] = [];
  while (await cursor.more()) {
    cursor.skip(outline.read(cursor.unread));
    const path = outline.fileAt();
    if (path === null) continue;
    const base64 = jsonString(cursor);
    files.push({ path, file: await scan.takeFile(path, base64) });
    while ((await base64.next()).done !== true);
    outline.afterFile();
  }
  const document = outline.value();
  for (const { path, file } of files) put(document, path, file);
  return document;
}

/** The outline has followed the same path, so that every step is there. */
function put(document: unknown, path: JsonPath, file: unknown): void {
  let holder = document as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  holder[path.at(-1) ?? ""] = file;
}
