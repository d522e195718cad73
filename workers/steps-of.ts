import type { OperationName } from "../platform/contracts/pdf-job.ts";
import type { StepName } from "./operations/operations.ts";

/** The steps that a job of the operation is made of. */
export function stepsOf(operation: OperationName): StepName[] {
  return operation === "ocr" ? ["planOcr", "recognisePage", "assembleOcr"] : [operation];
}
