/** Of the forms of a document, the smallest without a flaw. */
import { setTimeout } from "node:timers/promises";
import { type Comparison, type Flaw, findFlaw, type Original } from "./check-candidate.ts";
import type { LevelSettings } from "./compression-level.ts";
import type { OwnCandidate } from "./own-candidate.ts";
import { allPages, sampled } from "./sampled-pages.ts";

export type Sound = { bytes: Uint8Array; method: "structure" | "images" | "ghostscript" };

/** Ghostscript's form, on its way. */
export type Rebuilt = {
  /** Its file as it writes it; undefined when there is none. */
  raw: Promise<Uint8Array | undefined>;
  /** Made whole and packed better; undefined when it has lost something. */
  repack: (raw: Uint8Array) => Promise<Uint8Array | undefined>;
  startedAt: number;
};

export type Forms = {
  original: Original;
  own: OwnCandidate;
  rebuilt: Rebuilt | undefined;
  level: LevelSettings;
  signal: AbortSignal;
};

// It starts with us and has a core of its own: who takes twice our time is not worth everybody's wait.
const patience = 1;
const leastPatienceMs = 1500;
// Where so much of our form is images that were made smaller, the rest is too little for another engine to win by.
const imageShare = 0.8;
// Packing takes a fifth off Ghostscript's file at most.
const packedAtBest = 0.8;
// A form that keeps all structure is worth a hundredth.
const clearly = 0.99;

/** Undefined when every form has a flaw. */
export async function smallestSound(forms: Forms): Promise<Sound | undefined> {
  const { original, own, rebuilt, level, signal } = forms;
  const ours = await soundOwn(own, original, level, signal);
  signal.throwIfAborted();
  if (rebuilt === undefined || !mayBeBeaten(ours)) return ours;
  const most = (ours?.bytes.length ?? original.size) * clearly;
  const raw = await inTime(rebuilt, signal);
  if (raw === undefined || raw.length * packedAtBest >= most) return ours;
  const bytes = await rebuilt.repack(raw);
  if (bytes === undefined || bytes.length >= most) return ours;
  const { pageCount } = original.look;
  const pages = allPages(pageCount);
  const comparison: Comparison = { texts: pages, pictures: sampled(pages) };
  const flaw = await findFlaw({ bytes, comparison }, original, level.similarity, signal);
  return flaw === undefined ? { bytes, method: "ghostscript" } : ours;
}

function mayBeBeaten(ours: OwnCandidate | undefined): boolean {
  return ours === undefined || ours.imageBytes < ours.bytes.length * imageShare;
}

async function inTime({ raw, startedAt }: Rebuilt, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const patienceMs = Math.max(leastPatienceMs, (performance.now() - startedAt) * patience);
  const waited = new AbortController();
  const tooLate = setTimeout(patienceMs, undefined, { signal: AbortSignal.any([signal, waited.signal]) });
  const first = await Promise.race([raw, tooLate.catch(() => undefined)]);
  waited.abort();
  signal.throwIfAborted();
  return first;
}

async function soundOwn(
  own: OwnCandidate,
  original: Original,
  level: LevelSettings,
  signal: AbortSignal,
): Promise<OwnCandidate | undefined> {
  // What is no smaller than the input needs no check, and neither does what would only be larger.
  if (own.bytes.length >= original.size) return undefined;
  const flaw: Flaw | undefined = await findFlaw(own, original, level.similarity, signal);
  if (flaw === undefined) return own;
  if (flaw.kind === "structure" || own.milder === undefined) return undefined;
  return soundOwn(await own.milder(), original, level, signal);
}
