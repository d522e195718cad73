import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export type PageFile = { contentType: string; bytes: Buffer; gzipped: Buffer | null };

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".pfb": "application/octet-stream",
  ".bcmap": "application/octet-stream",
  ".wasm": "application/wasm",
};

const compressible = /\.(html|css|m?js|json|svg|ttf)$/;

/**
 * The built signing page, file by file. Only names that were in the folder at start are served, so a path cannot
 * lead out of it. Each file is read, and compressed, the first time it is asked for.
 * @param folder made by signing/page/build.ts during set-up
 */
export function openPageFiles(folder: string): (name: string) => Promise<PageFile | null> {
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );
  const opened = new Map<string, Promise<PageFile>>();
  return async function pageFile(name) {
    if (!names.has(name)) return null;
    const known = opened.get(name) ?? openFile(folder, name);
    opened.set(name, known);
    // A file that could not be read is tried anew, not remembered as a failure.
    known.catch(() => opened.delete(name));
    return known;
  };
}

async function openFile(folder: string, name: string): Promise<PageFile> {
  const bytes = await readFile(join(folder, name));
  return {
    contentType: contentTypes[extname(name)] ?? "application/octet-stream",
    bytes,
    gzipped: compressible.test(name) ? await promisify(gzip)(bytes, { level: 9 }) : null,
  };
}
