/** What Ghostscript makes of a document. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createGhostscriptSlot, type GhostscriptSlot } from "../../ghostscript/slot.ts";
import type { LevelSettings } from "./compression-level.ts";

const deadlineMs = 30_000;
const memoryBytes = 2 ** 30;

let slot: GhostscriptSlot | undefined;

/** Starts this thread's Ghostscript ahead of the first job. */
export function ghostscriptSlot(): GhostscriptSlot {
  slot ??= createGhostscriptSlot();
  return slot;
}

export type GhostscriptSource = { path: string; workDir: string; level: LevelSettings; signal: AbortSignal };

/** The rebuilt file; undefined when Ghostscript fails, crashes, says something went wrong, or runs out of its time. */
export async function ghostscriptCandidate(source: GhostscriptSource): Promise<Uint8Array | undefined> {
  const target = join(source.workDir, "ghostscript.pdf");
  const args = [...settings(source.level), `-sOutputFile=${target.replaceAll("%", "%%")}`, source.path];
  const outcome = await ghostscriptSlot().run({ args, deadlineMs, memoryBytes, signal: source.signal });
  if (outcome.kind !== "finished" || !outcome.ok || /couldn't initialise file/i.test(outcome.output))
    return undefined;
  const written = await stat(target).catch(() => undefined);
  return written && written.size > 0 ? readFile(target) : undefined;
}

function settings({ preset, dotsPerInch }: LevelSettings): string[] {
  return [
    "-q",
    "-dSAFER",
    "-dBATCH",
    "-dNOPAUSE",
    "-sDEVICE=pdfwrite",
    "-dCompatibilityLevel=1.7",
    `-dPDFSETTINGS=${preset}`,
    // Its own choice turns pages.
    "-dAutoRotatePages=/None",
    // Otherwise JPEGs of up to one and a half times the resolution pass as they are.
    "-dPassThroughJPEGImages=false",
    `-dColorImageResolution=${dotsPerInch}`,
    `-dGrayImageResolution=${dotsPerInch}`,
    "-dColorImageDownsampleThreshold=1.0",
    "-dGrayImageDownsampleThreshold=1.0",
  ];
}
