/** Tesseract's models on disk: which of the known languages are really there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, validationFailure } from "../../../platform/contracts/failures.ts";
import { languageFault, ocrLanguages, orientationModel } from "../../../platform/contracts/ocr-languages.ts";

// Debian's packages of Tesseract 5 and 4, and where other distributions put them.
const folders = [
  "/usr/share/tesseract-ocr/5/tessdata",
  "/usr/share/tesseract-ocr/4.00/tessdata",
  "/usr/share/tessdata",
];

/** The models that recognition in `language` loads. Throws `validation_failed` that lists what there is. */
export function modelsOf(language: string, folder = modelFolder()): string[] {
  const fault = languageFault(language);
  if (fault !== null) throw validationFailure("language", fault);
  const codes = language.split("+");
  const missing = codes.filter((code) => !hasModel(folder, code));
  if (missing.length > 0) {
    const there = ocrLanguages.map(({ code }) => code).filter((code) => hasModel(folder, code));
    const message = `The data of ${missing.join(", ")} is not installed. There are: ${there.join(", ")}.`;
    throw validationFailure("language", message);
  }
  const companions = ocrLanguages
    .filter(({ code }) => codes.includes(code))
    .flatMap((known) => known.companions);
  return [...codes, ...companions.filter((model) => hasModel(folder, model))];
}

export function readModel(model: string, folder = modelFolder()): Uint8Array {
  return readFileSync(modelPath(folder, model));
}

/** Whether pages can be asked which way up they are. */
export function canDetectOrientation(folder = modelFolder()): boolean {
  return hasModel(folder, orientationModel);
}

function modelFolder(): string {
  const folder = folders.find((candidate) => existsSync(candidate));
  if (folder === undefined) throw new Failure("unavailable", "No language data for OCR is installed.");
  return folder;
}

function hasModel(folder: string, model: string): boolean {
  return existsSync(modelPath(folder, model));
}

function modelPath(folder: string, model: string): string {
  return join(folder, `${model}.traineddata`);
}
