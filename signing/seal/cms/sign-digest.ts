/** The CMS signature of PAdES baseline B-B (ETSI EN 319 142-1 §6, EN 319 122-1): detached, over a digest. */
import { createHash, createPrivateKey, sign } from "node:crypto";
import { Integer, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from "pkijs";
import type { SigningKey } from "../signing-key.ts";
import { oid } from "./oids.ts";

/**
 * Signed attributes are content type, message digest and the signing certificate (ESSCertIDv2, RFC 5035); the time
 * of signing is not among them, since PAdES has it in the signature dictionary.
 * @param digest SHA-256 of the bytes that are signed
 */
export function signDigest(digest: Uint8Array, key: SigningKey): SignedData {
  const certificates = key.certificates.map((der) => Certificate.fromBER(arrayBuffer(der)));
  const [own] = certificates;
  const [ownDer] = key.certificates;
  if (own === undefined || ownDer === undefined) throw new Error("the signing key has no certificate");
  const signedAttrs = new SignedAndUnsignedAttributes({ type: 0, attributes: attributesOf(digest, ownDer) });
  // Signed as a SET, stored as [0] (RFC 5652 §5.4).
  const toSign = Buffer.from(signedAttrs.toSchema().toBER());
  toSign[0] = 0x31;
  const privateKey = createPrivateKey({ key: Buffer.from(key.privateKey), format: "der", type: "pkcs8" });
  const isElliptic = privateKey.asymmetricKeyType === "ec";
  const sha256 = new AlgorithmIdentifier({ algorithmId: oid.sha256 });
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: sha256,
    signedAttrs,
    signatureAlgorithm: new AlgorithmIdentifier({
      algorithmId: isElliptic ? oid.ecdsaWithSha256 : oid.rsaWithSha256,
    }),
    signature: new OctetString({ valueHex: arrayBuffer(sign("sha256", toSign, privateKey)) }),
  });
  return new SignedData({
    version: 1,
    digestAlgorithms: [sha256],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: oid.data }),
    certificates,
    signerInfos: [signerInfo],
  });
}

/** DER of the whole CMS message, as it stands in `Contents`. */
export function encodeCms(signed: SignedData): Uint8Array {
  const message = new ContentInfo({ contentType: oid.signedData, content: signed.toSchema(true) });
  return new Uint8Array(message.toSchema().toBER());
}

// In the order of DER for a SET OF, which is the order of their lengths here.
function attributesOf(digest: Uint8Array, certificate: Uint8Array): Attribute[] {
  const certificateHash = createHash("sha256").update(certificate).digest();
  const certId = new Sequence({ value: [new OctetString({ valueHex: arrayBuffer(certificateHash) })] });
  const certIds = new Sequence({ value: [certId] });
  return [
    new Attribute({ type: oid.contentType, values: [new ObjectIdentifier({ value: oid.data })] }),
    new Attribute({ type: oid.messageDigest, values: [new OctetString({ valueHex: arrayBuffer(digest) })] }),
    new Attribute({ type: oid.signingCertificateV2, values: [new Sequence({ value: [certIds] })] }),
  ];
}

/** Bytes as the ASN.1 library takes them. */
export function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** A positive INTEGER of random bytes. */
export function positiveInteger(bytes: Uint8Array): Integer {
  const positive = Uint8Array.from(bytes);
  // The first bit is the sign, and a leading zero byte is not DER.
  positive[0] = ((positive[0] ?? 0) & 0x7f) | 0x40;
  return new Integer({ valueHex: arrayBuffer(positive) });
}
