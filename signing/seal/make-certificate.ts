import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { BitString, OctetString, Utf8String } from "asn1js";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
} from "pkijs";
import { oid } from "./cms/oids.ts";
import { arrayBuffer, positiveInteger } from "./cms/sign-digest.ts";
import type { SigningKey } from "./signing-key.ts";

const validYears = 20;

/**
 * A new P-256 key with a certificate of its own, for a service that was given none. Nobody vouches for it: readers
 * that shall trust it have to be told its certificate.
 */
export function makeCertificate(commonName: string, now: Date): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyDer = publicKey.export({ type: "spki", format: "der" });
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = positiveInteger(randomBytes(16));
  certificate.subject = nameOf(commonName);
  certificate.issuer = nameOf(commonName);
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + validYears);
  // Clocks of readers differ: a seal of the first minute must not be from the future.
  certificate.notBefore = new Time({ value: new Date(now.getTime() - 3_600_000) });
  certificate.notAfter = new Time({ value: until });
  certificate.subjectPublicKeyInfo = PublicKeyInfo.fromBER(arrayBuffer(publicKeyDer));
  certificate.extensions = extensions(publicKeyDer);
  const algorithm = new AlgorithmIdentifier({ algorithmId: oid.ecdsaWithSha256 });
  certificate.signature = algorithm;
  certificate.signatureAlgorithm = algorithm;
  const toSign = Buffer.from(certificate.encodeTBS().toBER());
  certificate.signatureValue = new BitString({ valueHex: arrayBuffer(sign("sha256", toSign, privateKey)) });
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }),
    certificates: [new Uint8Array(certificate.toSchema(true).toBER())],
  };
}

function nameOf(commonName: string): RelativeDistinguishedNames {
  const value = new Utf8String({ value: commonName });
  return new RelativeDistinguishedNames({
    typesAndValues: [new AttributeTypeAndValue({ type: "2.5.4.3", value })],
  });
}

/** RFC 5280 §4.2, RFC 9336: an end entity's certificate, for signatures on documents and nothing else. */
function extensions(publicKeyDer: Uint8Array): Extension[] {
  const extension = (extnID: string, critical: boolean, value: ArrayBuffer) =>
    new Extension({ extnID, critical, extnValue: value });
  const keyId = new OctetString({ valueHex: arrayBuffer(createHash("sha1").update(publicKeyDer).digest()) });
  // digitalSignature and nonRepudiation: the first two of nine bits.
  const usage = new BitString({ valueHex: arrayBuffer(Uint8Array.of(0b1100_0000)), unusedBits: 6 });
  const purposes = new ExtKeyUsage({ keyPurposes: [oid.emailProtectionPurpose, oid.documentSigningPurpose] });
  return [
    extension("2.5.29.19", true, new BasicConstraints({ cA: false }).toSchema().toBER()),
    extension("2.5.29.15", true, usage.toBER()),
    extension("2.5.29.37", false, purposes.toSchema().toBER()),
    extension("2.5.29.14", false, keyId.toBER()),
  ];
}
