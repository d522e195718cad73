import { createHash } from "node:crypto";
import { type AuditEntry, verifyChain } from "./audit-chain.ts";
import type { AuditFile } from "./audit-file.ts";
import type { FoundSeal } from "./find-seal.ts";
import { hashOfFacts, type SignedDetails } from "./signature-hash.ts";
import type { SealCheck } from "./verify-seal.ts";

export type AuditVerdict = { checks: SealCheck[]; changedEntry: number | null };

/** Checks the audit trail inside a sealed PDF: the chain up to the head that the seal names, and what it attests. */
export function checkAudit({ audit, head }: FoundSeal, bytes: Uint8Array): AuditVerdict {
  if (audit === undefined) {
    return {
      checks: [{ name: "chain", passed: false, message: "The audit trail is missing." }],
      changedEntry: null,
    };
  }
  const chain = checkChain(audit, head);
  const signatures = checkSignatureHashes(audit);
  return {
    checks: [chain.check, signatures.check, checkOriginal(audit, bytes)],
    changedEntry: chain.changedEntry ?? signatures.changedEntry,
  };
}

type Checked = { check: SealCheck; changedEntry: number | null };

function checkChain(audit: AuditFile, head: string | undefined): Checked {
  if (head === undefined) return chainFault("The seal does not name the audit trail.", null);
  const verdict = verifyChain(audit.entries, head);
  if (!verdict.ok) return chainFault(verdict.message, verdict.sequence);
  const message = `The audit trail of ${audit.entries.length} entries is complete and unchanged.`;
  return { check: { name: "chain", passed: true, message }, changedEntry: null };
}

function chainFault(message: string, changedEntry: number | null): Checked {
  return { check: { name: "chain", passed: false, message }, changedEntry };
}

function checkSignatureHashes(audit: AuditFile): Checked {
  const signed = audit.entries.filter(({ kind }) => kind === "signed");
  const wrong = signed.find((entry) => !hasItsHash(entry));
  const message = wrong
    ? `The signature hash of entry ${wrong.sequence} does not follow from its content.`
    : `${signed.length} signature ${signed.length === 1 ? "hash follows" : "hashes follow"} from what was signed.`;
  return {
    check: { name: "signatures", passed: wrong === undefined, message },
    changedEntry: wrong?.sequence ?? null,
  };
}

function hasItsHash({ details, documentSha256, at, previousHash }: AuditEntry): boolean {
  const { signer, values, signatureHash } = details as SignedDetails;
  if (!signer || !Array.isArray(values) || documentSha256 === null) return false;
  return hashOfFacts({ documentSha256, signer, signedAt: at, previousHash }, values) === signatureHash;
}

/** The original stands unchanged at the beginning of the sealed file, so it can be hashed from there. */
function checkOriginal({ original }: AuditFile, bytes: Uint8Array): SealCheck {
  if (original.base === "repaired") {
    const message =
      "The original was damaged and a repaired copy was sealed; its hash cannot be checked from here.";
    return { name: "original", passed: null, message };
  }
  const sha256 = createHash("sha256").update(bytes.subarray(0, original.size)).digest("hex");
  return sha256 === original.sha256
    ? {
        name: "original",
        passed: true,
        message: `The original document is inside, unchanged (SHA-256 ${sha256}).`,
      }
    : {
        name: "original",
        passed: false,
        message: "The original document inside is not the one that was signed.",
      };
}
