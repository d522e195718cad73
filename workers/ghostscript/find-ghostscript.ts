/** Whether this machine has a Ghostscript, asked once when a service starts, so that its log can say what is missing. */
import { createGhostscriptSlot } from "./slot.ts";

/** Ghostscript's revision (10000 is 10.0.0) as addon or program gives it; undefined where there is neither. */
export async function findGhostscript(): Promise<number | undefined> {
  const slot = createGhostscriptSlot();
  const args = ["-q", "-dSAFER", "-dBATCH", "-dNODISPLAY", "-c", "revision ="];
  const outcome = await slot.run({ args, deadlineMs: 10_000, memoryBytes: 2 ** 30 });
  await slot.close();
  const digits = outcome.kind === "finished" ? /\d{3,}/.exec(outcome.output)?.[0] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
