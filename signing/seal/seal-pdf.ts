/**
 * Seals a document: values drawn on its pages, the audit chain attached, one PAdES signature over all of it, as a
 * revision behind the original bytes. The same order gives the same content each time, except for the signature itself.
 */
import { createHash, X509Certificate } from "node:crypto";
import { Failure } from "../../platform/contracts/failures.ts";
import { encodeCms, signDigest } from "./cms/sign-digest.ts";
import { addTimestamp, maxTokenBytes } from "./cms/timestamp.ts";
import { composeRevision } from "./compose-revision.ts";
import { prepareValues, type Typography } from "./draw/prepare-values.ts";
import { openBase } from "./open-base.ts";
import type { SealedPdf, SealOrder, TimestampPolicy } from "./seal-order.ts";
import { fillByteRange } from "./signature-field.ts";
import type { SigningKey } from "./signing-key.ts";
import type { SubsetFont } from "./text/subset-font.ts";
import { withWholeFile } from "./with-whole-file.ts";
import { writeDurably } from "./write-durably.ts";

/** What a thread keeps from seal to seal. */
export type SealingTools = {
  key: SigningKey;
  timestamp: TimestampPolicy | null;
  typography: Typography;
  subset: SubsetFont;
};

/**
 * @throws Failure `unavailable` without a required timestamp, `validation_failed` for values that cannot be drawn,
 *   as `openPdf` for a source beyond repair
 */
export function sealPdf(order: SealOrder, tools: SealingTools): Promise<SealedPdf> {
  return withWholeFile(order.sourcePath, (original) => sealBytes(original, order, tools));
}

async function sealBytes(original: Buffer, order: SealOrder, tools: SealingTools): Promise<SealedPdf> {
  const originalHash = createHash("sha256").update(original);
  if (originalHash.copy().digest("hex") !== order.documentSha256) {
    throw new Error(`the stored document of ${order.requestId} is not the one that was signed`);
  }
  const { prepared, faults } = await prepareValues(order.values, tools.typography);
  if (faults.length > 0)
    throw new Failure("validation_failed", "A value cannot be drawn.", { details: faults });
  const base = await openBase(original);
  const signer = { name: commonName(tools.key), contentsBytes: cmsBytes(tools) };
  const revision = { base, order, originalBytes: original.length, prepared, signer, ...tools };
  const { bytes: update, signatureAt } = composeRevision(revision);
  const baseBytes = base.pdf.bytes;
  const baseHash = base.base === "original" ? originalHash : createHash("sha256").update(baseBytes);
  const gap = fillByteRange(update, signatureAt, baseBytes.length);
  const digest = baseHash
    .copy()
    .update(update.subarray(0, gap.start))
    .update(update.subarray(gap.end))
    .digest();
  const signed = signDigest(digest, tools.key);
  const { padesLevel, timestampFault } = await addTimestamp(signed, tools.timestamp);
  const cms = encodeCms(signed);
  if (2 * cms.length > gap.end - gap.start - 2) throw new Error("the signature is larger than its room");
  update.write(Buffer.from(cms).toString("hex"), gap.start + 1, "latin1");
  await writeDurably(order.outputPath, [baseBytes, update]);
  const sha256 = baseHash.update(update).digest("hex");
  return { sha256, size: baseBytes.length + update.length, padesLevel, timestampFault, base: base.base };
}

// Attributes, algorithm names and an RSA signature of 4096 bits take less than a third of this.
const cmsOverheadBytes = 2048;

function cmsBytes({ key, timestamp }: SealingTools): number {
  const certificates = key.certificates.reduce((sum, der) => sum + der.length, 0);
  return certificates + cmsOverheadBytes + (timestamp === null ? 0 : maxTokenBytes);
}

function commonName({ certificates }: SigningKey): string {
  const [own] = certificates;
  if (own === undefined) return "";
  const { subject } = new X509Certificate(own);
  return subject.match(/^CN=(.*)$/m)?.[1] ?? subject;
}
