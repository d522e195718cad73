import { z } from "zod";
import { blobRef } from "./blob.ts";
import { defineRequest } from "./request.ts";

/** Asked of any worker: what a PDF is, told at once and without a job. The answer's fields are the API's. */
export const inspectPdf = defineRequest(
  "pdf-inspect",
  z.object({ source: blobRef }),
  z.record(z.string(), z.unknown()),
);
