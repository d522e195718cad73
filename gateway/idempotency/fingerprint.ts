import { createHash } from "node:crypto";
import { sha256Of } from "../../platform/contracts/blob.ts";
import { UploadedFile } from "../../platform/contracts/http-api/file-input.ts";

/**
 * SHA-256 over what a call asks for: its fields, by name, and its files, by their content. How they were sent (a
 * form's boundary, the order of members, white space) makes no difference.
 */
export function fingerprint(fields: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(ordered(fields)) ?? "")
    .digest("hex");
}

function ordered(value: unknown): unknown {
  if (value instanceof UploadedFile) return { file: sha256Of(value.blob) };
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  // A list of pairs: an object would put names that look like numbers first, and `__proto__` nowhere.
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)]);
}
