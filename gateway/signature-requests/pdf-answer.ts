import type { BlobStore } from "../../platform/blob-store.ts";
import type { BlobRef } from "../../platform/contracts/blob.ts";
import type { Answer } from "../route.ts";

type File = { blob: BlobRef; fileName: string };

/**
 * A stored PDF as the body of an answer.
 * @param disposition `inline`: to be shown, not saved
 */
export function pdfAnswer(
  blobs: BlobStore,
  { blob, fileName }: File,
  disposition: "inline" | "attachment",
): Answer {
  return {
    contentType: "application/pdf",
    bytes: blobs.read(blob),
    contentLength: blob.size,
    headers: { "Content-Disposition": contentDisposition(disposition, fileName) },
  };
}

/** RFC 6266 with the name twice: in ASCII for old clients, in UTF-8 (RFC 8187) for all others. */
export function contentDisposition(disposition: "inline" | "attachment", fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
