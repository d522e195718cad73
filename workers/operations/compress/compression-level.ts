/** What each level means: how finely images are kept, and how alike pages must look. */

export type CompressionLevel = "low" | "medium" | "high";

export type LevelSettings = {
  /** Images are kept at so many dots an inch of the page, at most. */
  dotsPerInch: number;
  /** Quality of JPEG data, 1–100. */
  quality: number;
  /** Least similarity (SSIM) of sampled pages. */
  similarity: number;
  /** Whether the profile of the press that a file is meant for stays in it; in an archival file it always does. */
  keepsPrintProfiles: boolean;
  /** Ghostscript's preset. */
  preset: string;
};

export const compressionLevels: Readonly<Record<CompressionLevel, LevelSettings>> = {
  low: { dotsPerInch: 300, quality: 82, similarity: 0.98, keepsPrintProfiles: true, preset: "/printer" },
  medium: { dotsPerInch: 150, quality: 60, similarity: 0.94, keepsPrintProfiles: false, preset: "/ebook" },
  high: { dotsPerInch: 96, quality: 48, similarity: 0.85, keepsPrintProfiles: false, preset: "/screen" },
};
