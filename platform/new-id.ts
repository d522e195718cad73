import { randomBytes } from "node:crypto";
import { formatId, type IdKind } from "./contracts/ids.ts";

/** A fresh id of its kind, from the clock and the system's randomness. */
export function newId(kind: IdKind): string {
  return formatId(kind, Date.now(), randomBytes(10));
}
