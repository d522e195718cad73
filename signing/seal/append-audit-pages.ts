import type { Drawing } from "./draw/draw-values.ts";
import type { Typography } from "./draw/prepare-values.ts";
import type { PdfInPlace } from "./pdf-file/open-in-place.ts";
import type { SealOrder } from "./seal-order.ts";

export function appendAuditPages(
  _order: SealOrder,
  _pdf: PdfInPlace,
  _typography: Typography,
  _drawing: Drawing,
): void {}
