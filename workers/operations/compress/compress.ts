/** Compression: several smaller forms of a document are made, and the smallest that has lost nothing is taken. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../../platform/contracts/failures.ts";
import { type OpenedPdf, openPdf } from "../../../platform/pdf/open-pdf.ts";
import type { Operation, OperationContext, OperationResult, SourceFile } from "../operation.ts";
import { type CompressionLevel, compressionLevels, type LevelSettings } from "./compression-level.ts";
import { documentFacts } from "./document-facts.ts";
import { type DocumentTraits, documentTraits } from "./document-traits.ts";
import { ghostscriptCandidate } from "./ghostscript-candidate.ts";
import { lookAt } from "./original-look.ts";
import { planOwn } from "./own-candidate.ts";
import { repackRebuilt } from "./repack-rebuilt.ts";
import { type Sound, smallestSound } from "./smallest-sound.ts";
import { walkContents } from "./walk-contents.ts";

export type CompressParams = { level: CompressionLevel; allowBreakingSignatures: boolean };

/** Below this, Ghostscript's start alone takes longer than all the rest, and there is little left to win. */
const leastRebuiltBytes = 32 * 1024;

/** The smallest file that has lost nothing; the input itself, byte for byte, where there is none smaller. */
export const compress: Operation<CompressParams> = async ([source], params, context) => {
  if (source === undefined) throw new Error("Compression needs one source");
  const bytes = await readFile(source.path);
  const opened = await openPdf(bytes, context);
  const traits = documentTraits(opened);
  if (traits.signatures > 0 && !params.allowBreakingSignatures) throw signedFailure();
  const sized = { path: source.path, size: bytes.length };
  const smallest = await smallestForm(sized, opened, traits, compressionLevels[params.level], context);
  const kept =
    smallest && smallest.bytes.length < bytes.length ? smallest : { bytes, method: "original" as const };
  return result(bytes.length, kept);
};

async function smallestForm(
  source: SourceFile,
  opened: OpenedPdf,
  traits: DocumentTraits,
  level: LevelSettings,
  { workDir, signal, progress }: OperationContext,
): Promise<Sound | undefined> {
  const uses = walkContents(opened);
  // What cannot be looked at cannot be compared.
  const look = uses.cyclic ? undefined : await lookAt(opened);
  if (look === undefined) return undefined;
  const losers = new AbortController();
  const bounded = AbortSignal.any([signal, losers.signal]);
  try {
    const path = opened.wasEncrypted || opened.wasRepaired ? await plainCopy(opened, workDir) : source.path;
    const startedAt = performance.now();
    const raw =
      traits.mayBeRebuilt && source.size >= leastRebuiltBytes
        ? ghostscriptCandidate({ path, workDir, level, signal: bounded }).catch(() => undefined)
        : undefined;
    const original = { size: source.size, facts: documentFacts(opened), look };
    const repack = (bytes: Uint8Array) => repackRebuilt(bytes, opened.document, original.facts);
    const keepPrintProfiles = traits.isArchival || level.keepsPrintProfiles;
    const options = { uses, level, packObjects: traits.mayPackObjects, keepPrintProfiles, signal };
    // Other threads deflate and scale while this one looks at the original.
    const plan = planOwn(opened, options);
    const [own] = await Promise.allSettled([
      plan.make(),
      plan.isLarge ? undefined : look.prepare(plan.comparison, bounded),
    ]);
    if (own.status === "rejected") throw own.reason;
    progress(1, 2);
    const rebuilt = raw && { raw, repack, startedAt };
    return await smallestSound({ original, own: own.value, rebuilt, level, signal });
  } finally {
    losers.abort();
    look.close();
  }
}

async function plainCopy(opened: OpenedPdf, workDir: string): Promise<string> {
  const path = join(workDir, "plain.pdf");
  await writeFile(path, opened.bytes);
  return path;
}

function result(
  originalSize: number,
  { bytes, method }: { bytes: Uint8Array; method: string },
): OperationResult {
  const saved = (1 - bytes.length / originalSize) * 100;
  const data = {
    pdf_base64: { $file: 0 },
    original_size: originalSize,
    compressed_size: bytes.length,
    savings_percent: Math.round(saved * 100) / 100,
    method,
  };
  return { data, files: [bytes] };
}

function signedFailure(): Failure {
  return new Failure(
    "signed_pdf",
    "This PDF carries a digital signature, and compression would void it. Set allow_breaking_signatures to true to compress it anyway.",
  );
}
