/** The audit chain as it lies inside a sealed document: `audit.json`, covered by the seal. */
import { z } from "zod";
import { type AuditEntry, auditKinds } from "./audit-chain.ts";
import type { JsonObject } from "./canonical-json.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const entry = z.strictObject({
  sequence: z.number().int().positive(),
  kind: z.enum(auditKinds),
  at: z.string(),
  actor: z.string(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  documentSha256: hash.nullable(),
  details: z.record(z.string(), z.json()),
  previousHash: hash,
  hash,
});

/** What says that an attachment is such a file. Stored in sealed documents for ever: a new shape gets a new name. */
export const auditFormat = "signature-audit/1";

const auditFile = z.object({
  format: z.literal(auditFormat),
  requestId: z.string(),
  title: z.string(),
  /** `base: original`: the first `size` bytes of the sealed file are the original, with that hash. */
  original: z.object({ sha256: hash, size: z.number().int(), base: z.enum(["original", "repaired"]) }),
  head: hash,
  entries: z.array(entry),
});
export type AuditFile = Omit<z.infer<typeof auditFile>, "entries"> & { entries: readonly AuditEntry[] };

export function writeAuditFile(file: AuditFile): Uint8Array {
  return Buffer.from(`${JSON.stringify(file, null, 2)}\n`);
}

/** Undefined when the bytes are something else. */
export function readAuditFile(bytes: Uint8Array): AuditFile | undefined {
  try {
    const parsed = auditFile.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    if (!parsed.success) return undefined;
    const entries = parsed.data.entries.map((found) => ({ ...found, details: found.details as JsonObject }));
    return { ...parsed.data, entries };
  } catch {
    return undefined;
  }
}

const reasonStart = "Signed by all signers. Audit chain head SHA-256: ";

/** The signature's Reason: readers show it, and it carries the chain's head. */
export function sealReason(head: string): string {
  return `${reasonStart}${head}`;
}

/** The head that a Reason names; undefined for a signature of someone else. */
export function headOfReason(reason: string): string | undefined {
  const head = reason.startsWith(reasonStart) ? reason.slice(reasonStart.length) : "";
  return /^[0-9a-f]{64}$/.test(head) ? head : undefined;
}
