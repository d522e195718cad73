import { type BlobRef, sha256Of } from "../../platform/contracts/blob.ts";
import type { Transaction } from "../../platform/database.ts";
import { lastEntryAt } from "./audit-rows.ts";
import { type Change, startChange, type Witness, withEntry } from "./change.ts";
import type { SignatureRequest } from "./request.ts";

/** Downloads by the same hand follow each other; the trail names one an hour. */
const recordEveryMs = 3600_000;

export type HandedOut = { blob: BlobRef; fileName: string };

/** Records that the sealed PDF was downloaded. */
export async function recordDownload(
  trx: Transaction,
  request: SignatureRequest,
  witness: Witness,
  now: Date,
): Promise<Change> {
  const unchanged = startChange(request);
  if (request.sealed === null) return unchanged;
  const last = await lastEntryAt(trx, request.id, { kind: "downloaded", ...witness });
  if (last !== null && now.getTime() - last.getTime() < recordEveryMs) return unchanged;
  return withEntry(unchanged, {
    kind: "downloaded",
    at: now,
    witness,
    documentSha256: sha256Of(request.sealed),
  });
}

/** The sealed PDF under a name made of the request's title. */
export function sealedFile(request: SignatureRequest): HandedOut {
  if (request.sealed === null) throw new Error(`${request.id} is completed and has no sealed file`);
  return { blob: request.sealed, fileName: `${fileStem(request.title)}-signed.pdf` };
}

export function originalFile(request: SignatureRequest): HandedOut {
  return { blob: request.document, fileName: `${fileStem(request.title)}.pdf` };
}

/** What every file system and every header can take, of any script. */
function fileStem(title: string): string {
  const plain = title.replace(/[^\p{L}\p{M}\p{N} ._-]/gu, " ").replace(/\s+/g, " ");
  return (
    Array.from(plain.trim())
      .slice(0, 80)
      .join("")
      .replace(/^\.+|[. ]+$/g, "") || "document"
  );
}
