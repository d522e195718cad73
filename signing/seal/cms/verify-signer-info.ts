/** The signature inside a CMS message (RFC 5652 §5.6), checked with the certificate that it carries. */
import { createHash, verify, X509Certificate } from "node:crypto";
import { Certificate, IssuerAndSerialNumber, type SignedData, type SignerInfo } from "pkijs";
import { oid } from "./oids.ts";

export type SignerVerdict =
  | { ok: true; signer: string; certificate: X509Certificate; hasSigningCertificate: boolean }
  | { ok: false; fault: string };

/**
 * @param sha256 digest of the content that was signed
 * @param content the content itself, where another hash than SHA-256 may have been used
 */
export function verifySignerInfo(
  signed: SignedData,
  sha256: Uint8Array,
  content?: Uint8Array,
): SignerVerdict {
  const [info] = signed.signerInfos;
  const certificate = info && certificateOf(signed, info);
  if (info === undefined || certificate === undefined)
    return { ok: false, fault: "it carries no certificate of its signer" };
  const hash = hashNames[info.digestAlgorithm.algorithmId];
  const digest = hash === "sha256" ? sha256 : hash && content && createHash(hash).update(content).digest();
  const stated = attribute(info, oid.messageDigest)?.valueBlock.valueHexView;
  if (!hash || !digest || !stated || !Buffer.from(stated).equals(digest)) {
    return { ok: false, fault: "the signed bytes were changed" };
  }
  const attributes = Buffer.from(info.signedAttrs?.encodedValue ?? new ArrayBuffer(0));
  attributes[0] = 0x31;
  const x509 = new X509Certificate(Buffer.from(certificate.toSchema().toBER()));
  if (!verify(hash, attributes, x509.publicKey, info.signature.valueBlock.valueHexView)) {
    return { ok: false, fault: "the signature does not belong to its certificate" };
  }
  const hasSigningCertificate = namesCertificate(info, x509);
  return { ok: true, signer: x509.subject.replaceAll("\n", ", "), certificate: x509, hasSigningCertificate };
}

const hashNames: Record<string, string | undefined> = {
  [oid.sha256]: "sha256",
  [oid.sha384]: "sha384",
  [oid.sha512]: "sha512",
  [oid.sha1]: "sha1",
};

// biome-ignore lint/suspicious/noExplicitAny: attribute values are untyped ASN.1 in pkijs.
function attribute(info: SignerInfo, type: string): any {
  return info.signedAttrs?.attributes.find((candidate) => candidate.type === type)?.values[0];
}

function certificateOf(signed: SignedData, { sid }: SignerInfo): Certificate | undefined {
  if (!(sid instanceof IssuerAndSerialNumber)) return undefined;
  return signed.certificates?.find(
    (candidate): candidate is Certificate =>
      candidate instanceof Certificate &&
      candidate.issuer.isEqual(sid.issuer) &&
      candidate.serialNumber.isEqual(sid.serialNumber),
  );
}

/** ESSCertIDv2 with its default hash, SHA-256: an exchanged certificate would not match (RFC 5035 §4). */
function namesCertificate(info: SignerInfo, certificate: X509Certificate): boolean {
  const hash = attribute(info, oid.signingCertificateV2)
    ?.valueBlock.value[0]?.valueBlock.value[0]?.valueBlock.value.map(
      (item: { valueBlock: { valueHexView?: Uint8Array } }) => item.valueBlock.valueHexView,
    )
    .find((bytes: Uint8Array | undefined) => bytes?.length === 32);
  return hash !== undefined && createHash("sha256").update(certificate.raw).digest().equals(hash);
}
