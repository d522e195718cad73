/** What a file is, by its first bytes; names and declared types are not believed. */
import type { ImageKind } from "./ocr-phases.ts";

/** How many bytes `fileKind` wants to see. Acrobat finds `%PDF-` anywhere in the first 1,024 (ISO 32000-1, annex H 3.4.1). */
export const kindBytes = 1024;

/** Null for what is neither a PDF nor a known image. */
export function fileKind(head: Uint8Array): "pdf" | ImageKind | null {
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const text = (from: number, to: number) => start.toString("latin1", from, to);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  // Classic and BigTIFF, both byte orders.
  if (["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(text(0, 4))) return "tiff";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (["GIF87a", "GIF89a"].includes(text(0, 6))) return "gif";
  if (start.includes("%PDF-")) return "pdf";
  if (text(0, 2) === "BM" && start.length >= 26) return "bmp";
  return null;
}
