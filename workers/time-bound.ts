import type { OperationName } from "../platform/contracts/pdf-job.ts";

const second = 1000;
const megabyte = 2 ** 20;

/**
 * How long a job may be in slots, in milliseconds; waiting for its turn does not count. A single page of OCR has a
 * bound of its own.
 * @param bytes the size of all sources together
 */
export function timeBound(operation: OperationName, bytes: number): number {
  if (operation === "ocr") return 20 * 60 * second;
  if (operation !== "compress") return 60 * second;
  return 50 * second + Math.ceil(Math.max(0, bytes - 5 * megabyte) / (10 * megabyte)) * 10 * second;
}
