import type { OperationContext, SourceFile } from "../operation.ts";
import type { OcrPages } from "./assemble-ocr.ts";
export async function searchablePdf(_s: SourceFile, _p: OcrPages, _c: OperationContext): Promise<Uint8Array> {
  throw new Error("soon");
}
