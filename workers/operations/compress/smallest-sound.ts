/** Of the forms of a document, the smallest without a flaw. */
import { findFlaw, type Original } from "./check-candidate.ts";
import type { LevelSettings } from "./compression-level.ts";
import type { OwnCandidate } from "./own-candidate.ts";

export type Sound = { bytes: Uint8Array; method: "structure" | "images" | "ghostscript" };

export type Forms = {
  original: Original;
  own: OwnCandidate;
  /** Ghostscript's file. */
  rebuilt: Promise<Uint8Array | undefined> | undefined;
  level: LevelSettings;
  signal: AbortSignal;
};

/** Checks the smaller form first, so that most documents are checked once; undefined when every form has a flaw. */
export async function smallestSound({
  original,
  own,
  rebuilt,
  level,
  signal,
}: Forms): Promise<Sound | undefined> {
  const isSound = async (bytes: Uint8Array): Promise<boolean> =>
    (await findFlaw(bytes, original, level.similarity, signal)) === undefined;
  const fromGhostscript = await rebuilt;
  signal.throwIfAborted();
  if (fromGhostscript && fromGhostscript.length < own.bytes.length && (await isSound(fromGhostscript))) {
    return { bytes: fromGhostscript, method: "ghostscript" };
  }
  const ownSound = await soundOwn(own, original, level, signal);
  if (fromGhostscript && fromGhostscript.length >= own.bytes.length) {
    const better = ownSound === undefined || fromGhostscript.length < ownSound.bytes.length;
    if (better && (await isSound(fromGhostscript))) return { bytes: fromGhostscript, method: "ghostscript" };
  }
  return ownSound;
}

async function soundOwn(
  own: OwnCandidate,
  original: Original,
  level: LevelSettings,
  signal: AbortSignal,
): Promise<Sound | undefined> {
  const flaw = await findFlaw(own.bytes, original, level.similarity, signal);
  if (flaw === undefined) return own;
  if (flaw.kind === "structure" || own.milder === undefined) return undefined;
  return soundOwn(await own.milder(), original, level, signal);
}
