/** Checks a sealed PDF from the file alone, without any network: what was signed, by which certificate, and the chain. */
import { createHash, type X509Certificate } from "node:crypto";
import { ContentInfo, SignedData } from "pkijs";
import { Failure } from "../../platform/contracts/failures.ts";
import { checkAudit } from "./check-audit.ts";
import { oid } from "./cms/oids.ts";
import { arrayBuffer } from "./cms/sign-digest.ts";
import { readTimestampToken } from "./cms/timestamp-token.ts";
import { type SignerVerdict, verifySignerInfo } from "./cms/verify-signer-info.ts";
import { type FoundSeal, findSeal } from "./find-seal.ts";
import { withWholeFile } from "./with-whole-file.ts";

/** One thing that was checked. `passed: null`: it cannot be checked from this file, and `message` says why. */
export type SealCheck = {
  name: "seal" | "range" | "permissions" | "timestamp" | "chain" | "signatures" | "original";
  passed: boolean | null;
  message: string;
};

export type SealReport = {
  /** All checks that could be made passed, and the seal itself is among them. */
  valid: boolean;
  checks: readonly SealCheck[];
  /** Of the file as it was given, lower-case hex. */
  sha256: string;
  requestId: string | null;
  title: string | null;
  /** Of the original document. */
  originalSha256: string | null;
  /** Of the seal's own certificate; null where there is no seal. */
  certificate: { subject: string; sha256: string; validFrom: string; validTo: string } | null;
  /** As the seal claims (PAdES: the signature dictionary's M), or the authority's where there is a timestamp. */
  sealedAt: string | null;
  timestampedBy: string | null;
  /** The first audit entry that is not as it was written. */
  changedEntry: number | null;
  /** Whether the service's own certificate made the seal; null when none was given to compare. */
  sealedHere: boolean | null;
};

/**
 * @param ownCertificate DER, to answer `sealedHere`
 * @throws Failure `invalid_pdf` for what is no PDF, or carries no seal that can be read
 */
export function verifySeal(path: string, ownCertificate?: Uint8Array): Promise<SealReport> {
  return withWholeFile(path, (bytes) => verifyBytes(bytes, ownCertificate));
}

async function verifyBytes(bytes: Buffer, ownCertificate?: Uint8Array): Promise<SealReport> {
  const seal = readSeal(bytes);
  if (seal === undefined)
    throw new Failure("invalid_pdf", "This PDF carries no seal of a signature request.");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const { checks: cmsChecks, certificate, timestamp } = checkSignature(seal, bytes);
  const audit = checkAudit(seal, bytes);
  const checks = [...cmsChecks, checkRange(seal, bytes), checkPermissions(seal), ...audit.checks];
  return {
    valid: checks.every(({ passed }) => passed !== false),
    checks,
    sha256,
    requestId: seal.audit?.requestId ?? null,
    title: seal.audit?.title ?? null,
    originalSha256: seal.audit?.original.sha256 ?? null,
    certificate: certificate ? describe(certificate) : null,
    sealedAt: timestamp?.time.toISOString() ?? isoOfPdfDate(seal.signedAt),
    timestampedBy: timestamp?.authority ?? null,
    changedEntry: audit.changedEntry,
    sealedHere: ownCertificate ? certificate?.raw.equals(ownCertificate) === true : null,
  };
}

function readSeal(bytes: Uint8Array): FoundSeal | undefined {
  try {
    return findSeal(bytes);
  } catch (cause) {
    throw new Failure("invalid_pdf", "This is not a sealed PDF: it cannot be read as it is.", { cause });
  }
}

type Signature = {
  checks: SealCheck[];
  certificate?: X509Certificate;
  timestamp?: { time: Date; authority: string };
};

function checkSignature(seal: FoundSeal, bytes: Uint8Array): Signature {
  const signed = readCms(seal.contents);
  if (signed === undefined) return { checks: [failed("seal", "The seal's signature cannot be read.")] };
  const verdict = verifySignerInfo(signed, digestOfRange(seal, bytes));
  const check = sealCheck(verdict);
  const token = timestampOf(signed);
  return {
    checks: token ? [check, token.check] : [check],
    ...(verdict.ok && { certificate: verdict.certificate }),
    ...(token?.timestamp && { timestamp: token.timestamp }),
  };
}

function sealCheck(verdict: SignerVerdict): SealCheck {
  if (!verdict.ok) return failed("seal", `The seal is broken: ${verdict.fault}.`);
  if (!verdict.hasSigningCertificate)
    return failed("seal", "The seal does not name its certificate (ESSCertIDv2).");
  return passed("seal", `What the seal covers is as it was when ${verdict.signer} sealed it.`);
}

function readCms(contents: Uint8Array): SignedData | undefined {
  try {
    return new SignedData({ schema: ContentInfo.fromBER(arrayBuffer(contents)).content });
  } catch {
    return undefined;
  }
}

function digestOfRange({ byteRange }: FoundSeal, bytes: Uint8Array): Uint8Array {
  const [start = 0, length = 0, secondStart = 0, secondLength = 0] = byteRange;
  const first = bytes.subarray(start, start + length);
  const second = bytes.subarray(secondStart, secondStart + secondLength);
  return createHash("sha256").update(first).update(second).digest();
}

function timestampOf(signed: SignedData) {
  const [info] = signed.signerInfos;
  const attribute = info?.unsignedAttrs?.attributes.find(({ type }) => type === oid.timestampToken);
  if (info === undefined || attribute === undefined) return undefined;
  const token = new ContentInfo({ schema: attribute.values[0] });
  const read = readTimestampToken(token, info.signature.valueBlock.valueHexView);
  if (!read.ok) return { check: failed("timestamp", `The timestamp is broken: ${read.fault}.`) };
  const message = `${read.authority} saw the seal at ${read.time.toISOString()}.`;
  return { check: passed("timestamp", message), timestamp: read };
}

/** The signature must cover the whole file but itself: a gap elsewhere could hold anything. */
function checkRange({ byteRange, contents }: FoundSeal, bytes: Uint8Array): SealCheck {
  const [start, length = -1, secondStart = -1, secondLength = -1] = byteRange;
  const gap = Buffer.from(bytes.subarray(length, secondStart)).toString("latin1");
  const isWhole = byteRange.length === 4 && start === 0 && secondStart + secondLength === bytes.length;
  const isContents = /^<[0-9a-f]+>$/i.test(gap) && gap.length === 2 * contents.length + 2;
  if (isWhole && isContents) return passed("range", "The seal covers every byte of the file.");
  return failed("range", "The seal does not cover the whole file: something was added after sealing.");
}

function checkPermissions({ docMdpLevel }: FoundSeal): SealCheck {
  return docMdpLevel === 1
    ? passed("permissions", "The seal permits no change (DocMDP level 1).")
    : failed("permissions", "The seal would permit changes (DocMDP is not level 1).");
}

function describe(certificate: X509Certificate): NonNullable<SealReport["certificate"]> {
  return {
    subject: certificate.subject.replaceAll("\n", ", "),
    sha256: createHash("sha256").update(certificate.raw).digest("hex"),
    validFrom: certificate.validFromDate.toISOString(),
    validTo: certificate.validToDate.toISOString(),
  };
}

function isoOfPdfDate(date: string | undefined): string | null {
  const parts = date?.match(/^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/);
  return parts ? `${parts.slice(1, 4).join("-")}T${parts.slice(4).join(":")}.000Z` : null;
}

function passed(name: SealCheck["name"], message: string): SealCheck {
  return { name, passed: true, message };
}

function failed(name: SealCheck["name"], message: string): SealCheck {
  return { name, passed: false, message };
}
