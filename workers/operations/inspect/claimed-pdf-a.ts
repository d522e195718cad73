/** The PDF/A part and level that a file's XMP metadata claims, as `2b`; null when it claims none. */
export function claimedPdfA(file: Buffer): string | null {
  // XMP of PDF/A is neither compressed nor encrypted (ISO 19005-1 §6.7.2), so the raw bytes say it.
  const at = file.indexOf("pdfaid:part");
  if (at < 0) return null;
  const around = file.toString("latin1", Math.max(0, at - 500), at + 500);
  const part = /pdfaid:part\s*(?:>|=\s*["'])\s*([1-4])/.exec(around)?.[1];
  const level = /pdfaid:conformance\s*(?:>|=\s*["'])\s*([A-Za-z])/.exec(around)?.[1];
  return part === undefined ? null : part + (level ?? "").toLowerCase();
}
