/** The main of a sealing thread: opens its fonts once, then takes one task after the other. */
import { workerData } from "piscina";
import { asFailure, Failure } from "../../platform/contracts/failures.ts";
import { prepareValues } from "./draw/prepare-values.ts";
import { inspectUpload } from "./inspect-upload.ts";
import { type SealingTools, sealPdf } from "./seal-pdf.ts";
import type { SealOutcome, SealResults, SealTask, SealThreadSettings } from "./seal-task.ts";
import { openFontShelf } from "./text/font-shelf.ts";
import { createSubsetter } from "./text/subset-font.ts";
import { createTypesetter } from "./text/typesetter.ts";
import { verifySeal } from "./verify-seal.ts";

const settings = workerData as SealThreadSettings;
const shelf = openFontShelf();
const typography = { shelf, setLine: createTypesetter(shelf) };
const tools: SealingTools = { ...settings, typography, subset: createSubsetter() };
// The fonts of most seals are read before the first one waits for them.
for (const hand of [undefined, ...shelf.scriptFaces.values()]) typography.setLine("Warm", hand);

export default async function run(task: SealTask): Promise<SealOutcome<SealResults[SealTask["kind"]]>> {
  try {
    return { ok: true, result: await perform(task) };
  } catch (thrown) {
    const { code, message, details } = asFailure(thrown);
    const trace = thrown instanceof Error ? String(thrown.stack) : String(thrown);
    return { ok: false, failure: { code, message, details }, trace };
  }
}

async function perform(task: SealTask): Promise<SealResults[SealTask["kind"]]> {
  switch (task.kind) {
    case "inspect":
      return await inspectUpload(task.path);
    case "seal":
      return await sealPdf(task.order, tools);
    case "verify":
      return await verifySeal(task.path, settings.key.certificates[0]);
    case "check": {
      const { faults } = await prepareValues(task.values, typography);
      if (faults.length === 0) return null;
      const message = faults.map((fault) => `${fault.path}: ${fault.message}`).join(" ");
      throw new Failure("validation_failed", message, { details: faults });
    }
  }
}
